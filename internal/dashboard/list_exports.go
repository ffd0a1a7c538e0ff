package dashboard

import (
	"cmp"
	"strconv"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/external"
	"laurel/internal/points/lots"
	"laurel/internal/points/payouts"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schedule"
)

// exportRules exports as CSV the rules that the filters of the page match.
func exportRules(c *request) (view, error) {
	filter, err := c.ruleFilter()
	if err != nil {
		return view{}, err
	}
	names, err := c.readNames()
	if err != nil {
		return view{}, err
	}
	list := func(page laurel.PageRequest) (laurel.Page[catalog.Rule], error) {
		return c.d.Rules.List(c.Context(), c.scope, filter, page)
	}
	head := []string{
		"id", "name", "type", "group", "state", "rewardType", "amount", "currency", "start", "end", "made", "changed",
	}
	return exportCSV("rules.csv", head, pagedRows(list, func(rule catalog.Rule) laurel.ID { return rule.ID },
		cellsOfEach(func(rule catalog.Rule) []string {
			amount := ""
			if rule.Amount != nil {
				amount = rule.Amount.String()
			}
			return []string{
				idCell(rule.ID), rule.Name, string(rule.Type), names.Group(rule.LoyaltyRuleGroupID),
				string(rule.State(c.d.Now())), rule.RewardType, amount, names.Currency(rule.LoyaltyCurrencyID),
				timestampCell(rule.EffectiveStartTime),
				timestampCell(rule.EffectiveEndTime), timeCell(rule.CreatedAt), timeCell(rule.UpdatedAt),
			}
		})))
}

func timestampCell(t *laurel.Timestamp) string {
	if t == nil {
		return ""
	}
	return timeCell(t.Time)
}

// exportGroups exports the groups of rules, in their order, as CSV.
func exportGroups(c *request) (view, error) {
	list := func(page laurel.PageRequest) (laurel.Page[catalog.Group], error) {
		return c.d.Rules.ListGroupsWithoutRules(c.Context(), c.scope, page)
	}
	head := []string{"id", "name", "subTitle", "required", "collapsible", "made"}
	return exportCSV("groups.csv", head, pagedRows(list, func(group catalog.Group) laurel.ID { return group.ID },
		cellsOfEach(func(group catalog.Group) []string {
			return []string{
				idCell(group.ID), group.Name, textCell(group.SubTitle), strconv.FormatBool(group.IsRequired),
				strconv.FormatBool(group.IsCollapsible), timeCell(group.CreatedAt),
			}
		})))
}

// jobColumns are the columns of each list of jobs, and the function that writes its rows.
var jobColumns = map[string]struct {
	head []string
	rows func(*jobsData) [][]string
}{
	"runs": {
		[]string{
			"id", "ruleId", "rule", "scheduled", "status", "message", "evaluated", "rewarded", "refused", "failed", "started",
			"finished",
		},
		func(d *jobsData) [][]string {
			return cellRows(d.Runs, func(r schedule.Run) []string {
				return []string{
					idCell(r.ID), idCell(r.RuleID), d.RuleName(r.RuleID), timeCell(r.ScheduledAt), r.Status, r.Message,
					strconv.FormatInt(r.Evaluated, 10), strconv.Itoa(r.Rewarded), strconv.Itoa(r.Refused),
					strconv.Itoa(r.Failed), timeCell(r.StartedAt), timeCell(r.FinishedAt),
				}
			})
		},
	},
	"clearings": {
		[]string{"id", "kind", "currencyId", "ruleId", "status", "message", "accounts", "amount", "made", "changed"},
		func(d *jobsData) [][]string {
			return cellRows(d.Clearings, func(j reset.Job) []string {
				return []string{
					idCell(j.ID), resetKindLabels[j.Kind], idCell(j.CurrencyID), idCell(j.RuleID), j.Status, textCell(j.Message),
					strconv.FormatInt(j.Accounts, 10), j.Amount.String(), timeCell(j.CreatedAt), timeCell(j.UpdatedAt),
				}
			})
		},
	},
	"imports": {
		[]string{
			"id", "ruleId", "rule", "list", "status", "message", "read", "new", "skipped", "begun", "finished",
		},
		func(d *jobsData) [][]string {
			return cellRows(d.Imports, func(i lists.Import) []string {
				return []string{
					idCell(i.ID), idCell(i.Owner.ID), d.OwnerName(i), importKinds[i.Kind], i.Status, i.Message,
					strconv.FormatInt(i.Read, 10), strconv.FormatInt(i.Added, 10), strconv.FormatInt(i.Skipped, 10),
					timeCell(i.CreatedAt), timeCell(i.FinishedAt),
				}
			})
		},
	},
	"payouts": {
		[]string{
			"id", "member", "walletAddress", "ruleId", "rule", "amount", "network", "status", "message", "txHash", "attempts",
			"made",
			"changed",
		},
		func(d *jobsData) [][]string {
			return cellRows(d.Payouts, func(p payouts.Payout) []string {
				return []string{
					idCell(p.ID), idCell(p.UserID), p.Wallet, idCell(p.RuleID), d.PayoutSource(p), p.Amount.String(),
					p.Network, p.Status, p.Message, p.TxHash, strconv.FormatInt(p.Attempts, 10), timeCell(p.CreatedAt),
					timeCell(p.UpdatedAt),
				}
			})
		},
	},
	"posts": {
		[]string{
			"id", "walletAddress", "direction", "amount", "status", "message", "attempts", "made", "finished", "transaction",
		},
		func(d *jobsData) (out [][]string) {
			for _, p := range d.Posts {
				out = append(out, cellRows(p.Entries, func(e external.Entry) []string {
					return []string{
						idCell(p.ID), e.Wallet, string(e.Direction), e.Amount, p.Status, p.Message,
						strconv.FormatInt(p.Attempts, 10), timeCell(p.CreatedAt), timeCell(p.FinishedAt), idCell(p.TransactionID),
					}
				})...)
			}
			return out
		},
	},
}

// cellRows returns a row of cells for each item. cells writes those of one item.
func cellRows[T any](list []T, cells func(T) []string) [][]string {
	out := make([][]string, len(list))
	for i, item := range list {
		out[i] = cells(item)
	}
	return out
}

// exportJobs exports as CSV the jobs of the tab and status that the query names.
func exportJobs(c *request) (view, error) {
	chosen := c.readJobTab()
	export := jobColumns[chosen.Tab.Name]
	readPage := func(page laurel.PageRequest) (sheetPart, error) {
		data := chosen
		more, last, err := chosen.Tab.list(c, &data, page)
		if err != nil {
			return sheetPart{}, err
		}
		return sheetPart{export.rows(&data), more, last}, nil
	}
	return exportCSV(chosen.Tab.Name+".csv", export.head, readPage)
}

// exportMembers exports members as CSV: all, the blocked ones, or the results of a search. A search has one page of
// results.
func exportMembers(c *request) (view, error) {
	rows := func(users []report.User) ([][]string, error) {
		found, currency, err := c.memberRows(users)
		var out [][]string
		for _, row := range found {
			out = append(out, []string{
				idCell(row.ID), row.Name, row.Wallet, textCell(row.Profile.ExternalIdentifier),
				textCell(row.Profile.EmailAddress), textCell(row.Profile.PhoneNumber), row.Balance.String(), currency.Name,
				strconv.FormatBool(row.Blocked), timeCell(row.Joined),
			})
		}
		return out, err
	}
	filter := report.UserListFilter{Blocked: c.URL.Query().Get("state") == "blocked"}
	list := func(page laurel.PageRequest) (laurel.Page[report.User], error) {
		if query := c.URL.Query().Get("q"); query != "" {
			users, _, err := c.searchMembers(query)
			return laurel.Page[report.User]{Data: users}, err
		}
		return c.d.Report.Users(c.Context(), c.scope.At(c.site.ID), filter, page)
	}
	head := []string{
		"member", "name", "walletAddress", "externalIdentifier", "email", "phone", "balance", "currency", "blocked", "joined",
	}
	return exportCSV("members.csv", head, pagedRows(list, func(u report.User) laurel.ID { return u.ID }, rows))
}

// exportOfMember exports as CSV a list of the member whose id is in the path. read returns, for the member, the
// function that reads the pages of the list. name begins the name of the file.
func (c *request) exportOfMember(
	name string,
	columns []string,
	read func(of person) func(laurel.PageRequest) (sheetPart, error),
) (view, error) {
	_, member, err := c.getMember()
	if err != nil {
		return view{}, err
	}
	return exportCSV(name+"-"+member.ID.String()+".csv", columns, read(member))
}

// exportMemberLots exports as CSV the lots of a member in the currency of the query, including ended ones. Only roles
// that see concealed amounts may do that, as lots would reveal the amounts of hidden bids.
func exportMemberLots(c *request) (view, error) {
	if !c.visibility().All {
		right := admins.AdjustMembers.Words()
		return view{}, laurel.Errorf(laurel.Forbidden, "The %s role can’t %s.", RoleNames[c.role], right)
	}
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	currency := currencies.choose(c.URL.Query().Get("currency"))
	head := []string{
		"id", "currency", "state", "amount", "remaining", "ruleId", "rule", "given", "waitsUntil", "expires", "ended",
	}
	return c.exportOfMember("lots", head, func(member person) func(laurel.PageRequest) (sheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[lots.Lot], error) {
			filter := report.AccountFilter{Users: userFilter(member.ID), CurrencyID: currency.ID, Visibility: c.visibility()}
			accounts, err := c.d.Report.Accounts(c.Context(), c.scope.At(c.site.ID), filter, laurel.PageRequest{Limit: 1})
			if err != nil || len(accounts.Data) == 0 || currency.ID.IsZero() {
				return laurel.Page[lots.Lot]{}, err
			}
			var anyState []string
			return c.d.Expiry.List(c.Context(), c.scope.At(c.site.ID), accounts.Data[0].ID, anyState, page)
		}
		rows := func(list []lots.Lot) ([][]string, error) {
			names, err := c.ruleNames(uniqueIDs(list, func(lot lots.Lot) laurel.ID { return lot.RuleID }))
			return cellRows(list, func(lot lots.Lot) []string {
				return []string{
					idCell(lot.ID), currency.Name, string(lot.State), lot.Amount.String(), lot.Remaining.String(),
					idCell(lot.RuleID), names[lot.RuleID], microsCell(&lot.CreatedAt), microsCell(lot.WaitsUntil),
					microsCell(lot.ExpiresAt),
					microsCell(lot.EndedAt),
				}
			}), err
		}
		return pagedRows(list, func(lot lots.Lot) laurel.ID { return lot.ID }, rows)
	})
}

// exportMemberStreaks exports the streaks of a member as CSV.
func exportMemberStreaks(c *request) (view, error) {
	head := []string{"ruleId", "rule", "count", "ends", "began", "changed"}
	return c.exportOfMember("streaks", head, func(member person) func(laurel.PageRequest) (sheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[report.Streak], error) {
			filter := report.StatusFilter{Users: userFilter(member.ID)}
			return c.d.Report.Streaks(c.Context(), c.scope.At(c.site.ID), filter, page)
		}
		rows := func(list []report.Streak) ([][]string, error) {
			names, err := c.ruleNames(uniqueIDs(list, func(streak report.Streak) laurel.ID { return streak.RuleID }))
			return cellRows(list, func(streak report.Streak) []string {
				return []string{
					idCell(streak.RuleID), names[streak.RuleID], strconv.FormatInt(streak.Count, 10),
					microsCell(streak.ExpiresMicros), microsCell(&streak.CreatedMicros),
					microsCell(&streak.UpdatedMicros),
				}
			}), err
		}
		return pagedRows(list, func(streak report.Streak) laurel.ID { return streak.ID }, rows)
	})
}

// exportMemberProgress exports the progress of a member with all rules as CSV.
func exportMemberProgress(c *request) (view, error) {
	head := []string{"ruleId", "rule", "state", "progress", "message", "completed", "changed"}
	return c.exportOfMember("progress", head, func(member person) func(laurel.PageRequest) (sheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[report.Processing], error) {
			filter := report.StatusFilter{Users: userFilter(member.ID)}
			return c.d.Report.Processing(c.Context(), c.scope.At(c.site.ID), filter, page)
		}
		rows := func(list []report.Processing) ([][]string, error) {
			names, err := c.ruleNames(uniqueIDs(list, func(processing report.Processing) laurel.ID { return processing.RuleID }))
			return cellRows(list, func(processing report.Processing) []string {
				progress := ""
				if processing.Progress != nil {
					progress = processing.Progress.String()
				}
				return []string{
					idCell(processing.RuleID), names[processing.RuleID], cmp.Or(textCell(processing.Status), "begun"),
					progress, processing.Message, microsCell(processing.FulfilledAt),
					microsCell(&processing.UpdatedMicros),
				}
			}), err
		}
		return pagedRows(list, func(processing report.Processing) laurel.ID { return processing.ID }, rows)
	})
}

// exportMemberMultipliers exports the multipliers of a member as CSV.
func exportMemberMultipliers(c *request) (view, error) {
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	head := []string{"id", "multiplier", "title", "description", "currencies", "externalIdentifier", "given", "ended"}
	return c.exportOfMember("multipliers", head, func(member person) func(laurel.PageRequest) (sheetPart, error) {
		list := func(page laurel.PageRequest) (laurel.Page[report.Multiplier], error) {
			filter := report.MultiplierFilter{Users: userFilter(member.ID)}
			return c.d.Report.Multipliers(c.Context(), c.scope.At(c.site.ID), filter, page)
		}
		return pagedRows(list, func(multiplier report.Multiplier) laurel.ID { return multiplier.ID },
			cellsOfEach(func(multiplier report.Multiplier) []string {
				return []string{
					idCell(multiplier.ID), multiplier.Value.String(), textCell(multiplier.Title), textCell(multiplier.Description),
					currencies.joinNames(multiplier.CurrencyIDs()), textCell(multiplier.ExternalIdentifier),
					timeCell(multiplier.CreatedAt()),
					timeCell(multiplier.DeletedAt()),
				}
			}))
	})
}
