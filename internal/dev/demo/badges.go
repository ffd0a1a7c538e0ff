package demo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/schema"
)

const (
	openingGuests          = 6  // the first members, who came to the opening
	openingDay             = 1  // the day on which they came
	badgesCreatedOn        = 24 // the day on which badges for what members have done are created
	memberWithRevokedBadge = 3  // the number of the member whose badge is revoked
	regularAfter           = 10 // check-ins
)

// createOpeningBadge creates the badge of the opening, and the rule of the same event whose reward is that badge.
func (b *builder) createOpeningBadge(ctx context.Context) error {
	badge, err := b.createBadge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name: laurel.Some("Founding member"), Description: laurel.Some("Joined our program on opening day"),
		},
		Conditions: []conditions.Input{{Type: conditions.TypeAPI}},
	}, color.NRGBA{0xb5, 0x74, 0x0e, 0xff})
	if err != nil {
		return err
	}
	made, err := b.Rules.Create(ctx, b.program.scope, schema.Input{
		Name: laurel.Some("Opening day visit"), Type: laurel.Some("external_rule"), Interval: laurel.Some("once"),
		RewardType: laurel.Some(schema.RewardBadge), LoyaltyBadgeID: laurel.Some(badge),
	})
	if err != nil {
		return fmt.Errorf("rule of the opening: %w", err)
	}
	b.program.openingRule = made.ID
	return nil
}

// grantOpeningBadge completes the rule of the opening for the first members, which grants them its badge.
func (b *builder) grantOpeningBadge(ctx context.Context) error {
	var acts []action
	for i := range openingGuests {
		acts = append(acts, b.complete(i, b.program.openingRule))
	}
	return runConcurrently(ctx, acts)
}

// createBadges creates three badges that some members have already earned and others have not: for two rules, for ten
// check-ins, and one that asks for the first badge, more check-ins and points.
func (b *builder) createBadges(ctx context.Context) error {
	tenCheckIns, fifteenCheckIns, enoughPoints := int64(regularAfter), int64(15), 200*laurel.One
	steps, err := b.createBadge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name: laurel.Some("First steps"), Description: laurel.Some("Knows how our program works"),
			Rewards: laurel.Some([]badges.RewardInput{{Type: badges.Points, Amount: amountOf(2), CurrencyID: b.result.GemsID}}),
		},
		Conditions: []conditions.Input{
			{Type: conditions.TypeRule, RuleIDs: []laurel.ID{b.welcomeRule}},
			{Type: conditions.TypeRule, RuleIDs: []laurel.ID{b.result.TutorialID}},
		},
	}, color.NRGBA{0x1f, 0x7d, 0x52, 0xff})
	if err != nil {
		return err
	}
	regular, err := b.createBadge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name: laurel.Some("Regular"), Description: laurel.Some("Ten check-ins"),
			Rewards: laurel.Some([]badges.RewardInput{{Type: badges.Points, Amount: amountOf(20), CurrencyID: b.pointsID}}),
		},
		Conditions: []conditions.Input{
			{Type: conditions.TypeRule, RuleIDs: []laurel.ID{b.result.CheckInID}, RepeatCount: &tenCheckIns},
		},
	}, color.NRGBA{0x2f, 0x6f, 0xd0, 0xff})
	if err != nil {
		return err
	}
	b.program.regularBadge = regular
	_, err = b.createBadge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name:        laurel.Some("All-rounder"),
			Description: laurel.Some("Visits often, knows our program and has saved up points"),
			Rewards: laurel.Some([]badges.RewardInput{
				{Type: badges.Points, Amount: amountOf(50), CurrencyID: b.pointsID},
				{Type: badges.Multiplier, Multiplier: amountOf(2), CurrencyIDs: []laurel.ID{b.result.GemsID}},
			}),
		},
		Conditions: []conditions.Input{
			{Type: conditions.TypeBadge, BadgeIDs: []laurel.ID{steps}},
			{Type: conditions.TypeRule, RuleIDs: []laurel.ID{b.result.CheckInID}, RepeatCount: &fifteenCheckIns},
			{Type: conditions.TypePoints, Amount: &enoughPoints, CurrencyIDs: []laurel.ID{b.pointsID}},
		},
	}, color.NRGBA{0xa2, 0x47, 0x8f, 0xff})
	return err
}

// amountOf returns a pointer to the amount of n whole points.
func amountOf(n int64) *laurel.Amount {
	amount := laurel.Amount(n) * laurel.One
	return &amount
}

// createBadge creates a badge with a drawn medal of the color as its picture, grants it to the members who have earned
// it already, and returns its id.
func (b *builder) createBadge(ctx context.Context, in badges.CreateInput, c color.NRGBA) (laurel.ID, error) {
	name := in.Name.Value
	address, err := b.storeFile(ctx, "badge.png", "images", drawMedal(c))
	if err != nil {
		return laurel.ID{}, fmt.Errorf("picture of %s: %w", name, err)
	}
	in.ImageURL = laurel.Some(address)
	made, err := b.Badges.Create(ctx, b.program.scope, in)
	if err != nil {
		return laurel.ID{}, fmt.Errorf("badge %s: %w", name, err)
	}
	if err := b.Awards.RunDue(ctx); err != nil {
		return laurel.ID{}, fmt.Errorf("judging for %s: %w", name, err)
	}
	return made.ID, b.logActivity(ctx, "created a badge", "/badges")
}

// revokeBadge revokes the badge Regular from one member, and records that in the activity log.
func (b *builder) revokeBadge(ctx context.Context) error {
	ref := identity.Ref{Wallet: memberID(memberWithRevokedBadge)}
	revoked, err := b.Badges.Revoke(ctx, b.program.scope, b.program.regularBadge, ref, badges.Revoked)
	if err != nil {
		return fmt.Errorf("revoke: %w", err)
	}
	subject := "/badges/" + revoked.BadgeID.String() + "/members/" + revoked.UserID.String() + "/revoke"
	return b.logActivity(ctx, "revoked a badge from a member", subject)
}

// drawMedal returns a PNG picture of a disc of the color with a white ring and a white, star-like cut in its middle.
func drawMedal(c color.NRGBA) []byte {
	const size, outer, ring, inner = 128, 62, 52, 46
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			dx, dy := x-size/2, y-size/2
			squaredDistance, cross := dx*dx+dy*dy, dx*dy
			pixel := c
			switch {
			case squaredDistance > outer*outer:
				continue
			case squaredDistance <= ring*ring && squaredDistance > inner*inner,
				squaredDistance <= inner*inner && cross > -250 && cross < 250: // near one of the two axes
				pixel = color.NRGBA{0xff, 0xff, 0xff, 0xff}
			}
			picture.SetNRGBA(x, y, pixel)
		}
	}
	return encodePNG(picture)
}

// encodePNG returns the picture as a PNG file.
func encodePNG(picture image.Image) []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		panic(fmt.Sprintf("a picture cannot be written to memory: %v", err))
	}
	return out.Bytes()
}
