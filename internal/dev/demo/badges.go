package demo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/identity"
	"laurel/internal/rules/schema"
)

const (
	guests       = 6  // the first members, who came to the opening
	openingDay   = 1  // when they did
	judgedFrom   = 24 // the day on which badges are made that look at what members did until then
	revokedFrom  = 3  // a member that lost a badge
	regularAfter = 10 // check-ins
)

// found makes the badge of the opening and the rule that gives it.
func (t *teller) found(ctx context.Context) error {
	badge, err := t.badge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name: laurel.Some("Founding member"), Description: laurel.Some("Was there when the doors opened"),
		},
		Conditions: []conditions.Input{{Type: conditions.API}},
	}, color.NRGBA{0xb5, 0x74, 0x0e, 0xff})
	if err != nil {
		return err
	}
	made, err := t.Rules.Create(ctx, t.office.scope, schema.Input{
		Name: laurel.Some("Came to the opening"), Type: laurel.Some("external_rule"), Interval: laurel.Some("once"),
		RewardType: laurel.Some(schema.RewardBadge), LoyaltyBadgeID: laurel.Some(badge),
	})
	if err != nil {
		return fmt.Errorf("rule of the opening: %w", err)
	}
	t.office.opening = made.ID
	return nil
}

// opens has the first members come to the opening.
func (t *teller) opens(ctx context.Context) error {
	var acts []act
	for i := range guests {
		acts = append(acts, t.complete(i, t.office.opening, nil))
	}
	return together(ctx, acts)
}

// honour makes badges that members have earned already, or are on the way to.
func (t *teller) honour(ctx context.Context) error {
	tens, many, enough := int64(regularAfter), int64(15), 200*laurel.One
	steps, err := t.badge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name: laurel.Some("First steps"), Description: laurel.Some("Knows how things work here"),
			Rewards: laurel.Some([]badges.RewardInput{{Type: badges.Points, Amount: whole(2), CurrencyID: t.story.GemsID}}),
		},
		Conditions: []conditions.Input{
			{Type: conditions.Rule, RuleIDs: []laurel.ID{t.welcome}},
			{Type: conditions.Rule, RuleIDs: []laurel.ID{t.story.TutorialID}},
		},
	}, color.NRGBA{0x1f, 0x7d, 0x52, 0xff})
	if err != nil {
		return err
	}
	regular, err := t.badge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name: laurel.Some("Regular"), Description: laurel.Some("Ten check-ins"),
			Rewards: laurel.Some([]badges.RewardInput{{Type: badges.Points, Amount: whole(20), CurrencyID: t.points}}),
		},
		Conditions: []conditions.Input{{Type: conditions.Rule, RuleIDs: []laurel.ID{t.story.CheckInID}, RepeatCount: &tens}},
	}, color.NRGBA{0x2f, 0x6f, 0xd0, 0xff})
	if err != nil {
		return err
	}
	t.office.regular = regular
	_, err = t.badge(ctx, badges.CreateInput{
		Input: badges.Input{
			Name: laurel.Some("All-rounder"), Description: laurel.Some("Comes often, knows the ropes, and has saved up"),
			Rewards: laurel.Some([]badges.RewardInput{
				{Type: badges.Points, Amount: whole(50), CurrencyID: t.points},
				{Type: badges.Multiplier, Multiplier: whole(2), CurrencyIDs: []laurel.ID{t.story.GemsID}},
			}),
		},
		Conditions: []conditions.Input{
			{Type: conditions.Badge, BadgeIDs: []laurel.ID{steps}},
			{Type: conditions.Rule, RuleIDs: []laurel.ID{t.story.CheckInID}, RepeatCount: &many},
			{Type: conditions.Points, Amount: &enough, CurrencyIDs: []laurel.ID{t.points}},
		},
	}, color.NRGBA{0xa2, 0x47, 0x8f, 0xff})
	return err
}

func whole(n int64) *laurel.Amount {
	amount := laurel.Amount(n) * laurel.One
	return &amount
}

// badge makes a badge with a medal of a colour, and has the members judged who are there.
func (t *teller) badge(ctx context.Context, in badges.CreateInput, c color.NRGBA) (laurel.ID, error) {
	name := in.Name.Value
	address, err := t.keep(ctx, "badge.png", "images", medal(c))
	if err != nil {
		return laurel.ID{}, fmt.Errorf("picture of %s: %w", name, err)
	}
	in.ImageURL = laurel.Some(address)
	made, err := t.Badges.Create(ctx, t.office.scope, in)
	if err != nil {
		return laurel.ID{}, fmt.Errorf("badge %s: %w", name, err)
	}
	if err := t.Awards.RunDue(ctx); err != nil {
		return laurel.ID{}, fmt.Errorf("judging for %s: %w", name, err)
	}
	return made.ID, t.note(ctx, "created a badge", "/badges")
}

// revoke takes a badge back from a member.
func (t *teller) revoke(ctx context.Context) error {
	ref := identity.Ref{Wallet: wallet(revokedFrom)}
	u, err := t.Badges.Revoke(ctx, t.office.scope, t.office.regular, ref, badges.Revoked)
	if err != nil {
		return fmt.Errorf("revoke: %w", err)
	}
	subject := "/badges/" + u.BadgeID.String() + "/members/" + u.UserID.String() + "/revoke"
	return t.note(ctx, "revoked a badge from a member", subject)
}

// medal draws a disc with a ring and a star-like cut in its middle.
func medal(c color.NRGBA) []byte {
	const size, outer, ring, inner = 128, 62, 52, 46
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			dx, dy := x-size/2, y-size/2
			far, cross := dx*dx+dy*dy, dx*dy
			at := c
			switch {
			case far > outer*outer:
				continue
			case far <= ring*ring && far > inner*inner, far <= inner*inner && cross > -250 && cross < 250:
				at = color.NRGBA{0xff, 0xff, 0xff, 0xff}
			}
			picture.SetNRGBA(x, y, at)
		}
	}
	return inPNG(picture)
}

// inPNG encodes a picture.
func inPNG(picture image.Image) []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		panic(fmt.Sprintf("a picture cannot be written to memory: %v", err))
	}
	return out.Bytes()
}
