package members

import (
	"cmp"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/report"
)

// exportOfMember exports as CSV a list of the member whose id is in the path. read returns, for the member, the
// function that reads the pages of the list. name begins the name of the file.
func (c *call) exportOfMember(
	name string,
	columns []string,
	read func(of parts.Person) func(laurel.PageRequest) (web.SheetPart, error),
) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	return web.ExportCSV(name+"-"+member.ID.String()+".csv", columns, read(member))
}

// exportMemberLots exports as CSV the lots of a member in the currency of the query, including ended ones. Only roles
// that see concealed amounts may do that, as lots would reveal the amounts of hidden bids.
func exportMemberLots(c *call) (web.View, error) {
	if !c.Visibility().All {
		right := admins.AdjustMembers.Words()
		return web.View{}, laurel.Errorf(laurel.Forbidden, "The %s role can’t %s.", web.RoleNames[c.Role], right)
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	currency := currencies.Choose(c.URL.Query().Get("currency"))
	head := []string{
		"id", "currency", "state", "amount", "remaining", "ruleId", "rule", "given", "waitsUntil", "expires", "ended",
	}
	return c.exportOfMember("lots", head, func(member parts.Person) func(laurel.PageRequest) (web.SheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[lots.Lot], error) {
			filter := report.AccountFilter{
				Users: parts.UserFilter(member.ID), CurrencyID: currency.ID, Visibility: c.Visibility(),
			}
			accounts, err := c.Report.Accounts(c.Context(), c.Scope.At(c.Site.ID), filter, laurel.PageRequest{Limit: 1})
			if err != nil || len(accounts.Data) == 0 || currency.ID.IsZero() {
				return laurel.Page[lots.Lot]{}, err
			}
			var anyState []string
			return c.Expiry.List(c.Context(), c.Scope.At(c.Site.ID), accounts.Data[0].ID, anyState, page)
		}
		rows := func(list []lots.Lot) ([][]string, error) {
			names, err := c.RuleNames(web.UniqueIDs(list, func(lot lots.Lot) laurel.ID { return lot.RuleID }))
			return web.CellRows(list, func(lot lots.Lot) []string {
				return []string{
					web.IdCell(lot.ID), currency.Name, string(lot.State), lot.Amount.String(), lot.Remaining.String(),
					web.IdCell(lot.RuleID), names[lot.RuleID], web.MicrosCell(&lot.CreatedAt), web.MicrosCell(lot.WaitsUntil),
					web.MicrosCell(lot.ExpiresAt),
					web.MicrosCell(lot.EndedAt),
				}
			}), err
		}
		return web.PagedRows(list, func(lot lots.Lot) laurel.ID { return lot.ID }, rows)
	})
}

// exportMemberStreaks exports the streaks of a member as CSV.
func exportMemberStreaks(c *call) (web.View, error) {
	head := []string{"ruleId", "rule", "count", "ends", "began", "changed"}
	return c.exportOfMember("streaks", head, func(member parts.Person) func(laurel.PageRequest) (web.SheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[report.Streak], error) {
			filter := report.StatusFilter{Users: parts.UserFilter(member.ID)}
			return c.Report.Streaks(c.Context(), c.Scope.At(c.Site.ID), filter, page)
		}
		rows := func(list []report.Streak) ([][]string, error) {
			names, err := c.RuleNames(web.UniqueIDs(list, func(streak report.Streak) laurel.ID { return streak.RuleID }))
			return web.CellRows(list, func(streak report.Streak) []string {
				return []string{
					web.IdCell(streak.RuleID), names[streak.RuleID], strconv.FormatInt(streak.Count, 10),
					web.TimeCell(streak.ExpiresAt), web.TimeCell(streak.CreatedAt), web.TimeCell(streak.UpdatedAt),
				}
			}), err
		}
		return web.PagedRows(list, func(streak report.Streak) laurel.ID { return streak.ID }, rows)
	})
}

// exportMemberProgress exports the progress of a member with all rules as CSV.
func exportMemberProgress(c *call) (web.View, error) {
	head := []string{"ruleId", "rule", "state", "progress", "message", "completed", "changed"}
	return c.exportOfMember("progress", head, func(member parts.Person) func(laurel.PageRequest) (web.SheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[report.Processing], error) {
			filter := report.StatusFilter{Users: parts.UserFilter(member.ID)}
			return c.Report.Processing(c.Context(), c.Scope.At(c.Site.ID), filter, page)
		}
		rows := func(list []report.Processing) ([][]string, error) {
			names, err := c.RuleNames(
				web.UniqueIDs(list, func(processing report.Processing) laurel.ID { return processing.RuleID }),
			)
			return web.CellRows(list, func(processing report.Processing) []string {
				progress := ""
				if processing.Progress != nil {
					progress = processing.Progress.String()
				}
				return []string{
					web.IdCell(processing.RuleID), names[processing.RuleID], cmp.Or(web.TextCell(processing.Status), "begun"),
					progress, processing.Message, web.TimeCell(processing.FulfilledAt),
					web.TimeCell(processing.UpdatedAt),
				}
			}), err
		}
		return web.PagedRows(list, func(processing report.Processing) laurel.ID { return processing.ID }, rows)
	})
}

// exportMemberMultipliers exports the multipliers of a member as CSV.
func exportMemberMultipliers(c *call) (web.View, error) {
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	head := []string{"id", "multiplier", "title", "description", "currencies", "externalIdentifier", "given", "ended"}
	return c.exportOfMember("multipliers", head, func(member parts.Person) func(laurel.PageRequest) (web.SheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[report.Multiplier], error) {
			filter := report.MultiplierFilter{Users: parts.UserFilter(member.ID)}
			return c.Report.Multipliers(c.Context(), c.Scope.At(c.Site.ID), filter, page)
		}
		return web.PagedRows(list, func(multiplier report.Multiplier) laurel.ID { return multiplier.ID },
			web.CellsOfEach(func(multiplier report.Multiplier) []string {
				return []string{
					web.IdCell(multiplier.ID), multiplier.Value.String(), web.TextCell(multiplier.Title),
					web.TextCell(multiplier.Description),
					currencies.JoinNames(multiplier.CurrencyIDs), web.TextCell(multiplier.ExternalIdentifier),
					web.TimeCell(multiplier.CreatedAt),
					web.TimeCell(multiplier.DeletedAt),
				}
			}))
	})
}
