package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/record"
)

const (
	pagesCreatedOn   = 20 // the day on which pages and a token claim are created
	allowedClaimants = 24 // how many members may claim the token; all have wallets
	claimant         = 2  // the number of the wallet that has claimed it
	outsider         = "0x00000000000000000000000000000000000c0ffe"
)

// createTokenClaim creates the contract of a token, a draft of a token claim, and a claim that has started. The list of
// the started one has the first wallets, one wallet outside the program and two invalid rows; it is imported, and one
// member claims.
func (b *builder) createTokenClaim(ctx context.Context) error {
	token, err := b.Contracts.Create(ctx, b.program.scope, record.All(contracts.Contract{
		Name: new("Harvest"), Type: contracts.ERC20, ChainID: new(int64(8453)),
		Address: "0x0000000000000000000000000000000000a9e571",
	}))
	if err != nil {
		return fmt.Errorf("contract: %w", err)
	}
	rows := []string{"walletAddress,amount"}
	for i := range allowedClaimants {
		rows = append(rows, fmt.Sprintf("%s,%d.5", wallet(i), 40-i))
	}
	rows = append(rows, outsider+",12", "member-007,5", wallet(allowedClaimants)+",0")
	list, err := b.storeFile(ctx, "harvest.csv", "tokenClaims", []byte(strings.Join(rows, "\n")+"\n"))
	if err != nil {
		return err
	}
	draft := claims.Patch{}.With("name", "Second harvest").With("contractId", token.ID)
	_, err = b.Claims.Create(ctx, b.program.scope, draft)
	if err != nil {
		return fmt.Errorf("draft of a token claim: %w", err)
	}
	now := b.Clock.Now()
	made, err := b.Claims.Create(ctx, b.program.scope, claims.Patch{}.
		With("name", "First harvest").With("contractId", token.ID).With("csvUrl", list).With("isDraft", false).
		With("claimContractAddress", "0x0000000000000000000000000000000000a9e572").
		With("startTime", now).With("endTime", now.AddDate(0, 3, 0)))
	if err != nil {
		return fmt.Errorf("token claim: %w", err)
	}
	for busy := 1; busy > 0 && err == nil; {
		busy, err = b.Claims.RunDue(ctx)
	}
	if err == nil {
		_, _, err = b.Claims.Claim(ctx, b.program.scope, made.ID, claims.ClaimInput{
			Wallet: wallet(claimant), TxHash: "0x" + strings.Repeat("7c", 32),
		})
	}
	return errors.Join(err, b.logActivity(ctx, "created a token claim", "/claims"))
}

// createPages creates the blocks of the loyalty page, one of them hidden, and the collections and sections of the home
// page.
func (b *builder) createPages(ctx context.Context) error {
	for _, block := range []pages.BlockInput{
		{Type: laurel.Some("hero"), Title: laurel.Some("Welcome back"), SubTitle: laurel.Some("Every visit counts")},
		{Type: laurel.Some("rules"), Title: laurel.Some("Your first days"), GroupID: laurel.Some(b.program.startedGroup)},
		{Type: laurel.Some("rules"), Title: laurel.Some("Day by day"), GroupID: laurel.Some(b.program.everyDayGroup)},
		{
			Type: laurel.Some("leaderboard"), Title: laurel.Some("Top members"),
			Metadata: laurel.Some(json.RawMessage(`{"rows": 10}`)),
		},
		{Type: laurel.Some("news"), Title: laurel.Some("Shop news"), Hidden: laurel.Some(true)},
	} {
		if _, err := b.Pages.AddBlock(ctx, b.program.scope, block); err != nil {
			return fmt.Errorf("block %s: %w", block.Type.Value, err)
		}
	}
	shown, err := b.createCollections(ctx)
	if err != nil {
		return err
	}
	if err := b.createSections(ctx, shown); err != nil {
		return err
	}
	return b.logActivity(ctx, "created a page section", "/pages/sections")
}

// createCollections creates two collections with drawn pictures, and returns them as the items that sections show.
func (b *builder) createCollections(ctx context.Context) (shown []pages.ShownInput, err error) {
	for i, one := range []struct {
		name string
		c    color.NRGBA
	}{{"Founders", color.NRGBA{0xb5, 0x74, 0x0e, 0xff}}, {"Seasons", color.NRGBA{0x1f, 0x7d, 0x52, 0xff}}} {
		address, err := b.storeFile(ctx, strings.ToLower(one.name)+".png", "images", drawMedal(one.c))
		if err != nil {
			return nil, err
		}
		made, err := b.Collections.Create(ctx, b.program.scope, record.All(collections.Collection{
			Name: one.name, Network: "base", SortID: int64(i),
			Address: fmt.Sprintf("0x%040x", 0xc011ec7+i), ImageURL: &address,
		}))
		if err != nil {
			return nil, fmt.Errorf("collection %s: %w", one.name, err)
		}
		shown = append(shown, pages.ShownInput{CollectionID: laurel.Some(made.ID)})
	}
	return shown, nil
}

// createSections creates four sections of the home page: two current ones, one in the future and one in the past. It
// also creates one section for every page.
func (b *builder) createSections(ctx context.Context, shown []pages.ShownInput) error {
	picture, err := b.storeFile(ctx, "harbour.png", "banners", drawMedal(color.NRGBA{0x2f, 0x6f, 0xd0, 0xff}))
	if err != nil {
		return err
	}
	now, later := b.Clock.Now(), b.Clock.present().UTC().Truncate(24*time.Hour).AddDate(0, 0, 7)
	section := func(title string, start time.Time) pages.SectionPatch {
		return pages.SectionPatch{}.With("title", title).With("durationStart", start)
	}
	for i, in := range []pages.SectionInput{
		{SectionPatch: section("This season", now), PartsInput: pages.PartsInput{
			ItemsGrids: laurel.Some(shown),
			Banner: laurel.Some(pages.BannerInput{
				Collections: laurel.Some(shown[:1]),
				Carousel:    laurel.Some(pages.CarouselInput{Items: laurel.Some(make([]pages.CarouselItemInput, 3))}),
			}),
			Discovery: laurel.Some([]pages.DiscoveryInput{
				{
					Title:       laurel.Some("Meet us at the harbour"),
					Description: laurel.Some("Every first Saturday of the month, from 10 a.m."),
					ButtonText:  laurel.Some("How to get there"), Layout: laurel.Some("full_width_hero"),
					ExternalLink: laurel.Some("https://shop.example/harbour"), MediaLink: laurel.Some(picture),
				},
				{Title: laurel.Some("Day by day"), GroupID: laurel.Some(b.program.everyDayGroup)},
			}),
		}},
		{SectionPatch: section("Discover", now).With("pageSectionType", "discovery_items_grid"), PartsInput: pages.PartsInput{
			Discovery: laurel.Some([]pages.DiscoveryInput{
				{Title: laurel.Some("Start here"), GroupID: laurel.Some(b.program.startedGroup), ButtonText: laurel.Some("Go")},
			}),
		}},
		{SectionPatch: section("Coming up", later), PartsInput: pages.PartsInput{ItemsGrids: laurel.Some(shown[1:])}},
		{SectionPatch: section("Opening week", now.AddDate(0, 0, -7)).With("durationEnd", now.AddDate(0, 0, 1))},
		{SectionPatch: section("Free shipping this month", now).With("placement", "global")},
	} {
		if !in.Has("placement") {
			in.SectionPatch = in.With("placement", "page").With("pageId", "home")
		}
		in.SectionPatch = in.With("sortId", int64(i))
		if _, err := b.Pages.CreateSection(ctx, b.program.scope, in); err != nil {
			return fmt.Errorf("section %s: %w", *in.Values().Title, err)
		}
	}
	return nil
}
