package ledger

import (
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
)

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
			return web.CellRows(d.Runs, func(r schedule.Run) []string {
				return []string{
					web.IdCell(r.ID), web.IdCell(r.RuleID), d.RuleName(r.RuleID), web.TimeCell(r.ScheduledAt), r.Status, r.Message,
					strconv.FormatInt(r.Evaluated, 10), strconv.Itoa(r.Rewarded), strconv.Itoa(r.Refused),
					strconv.Itoa(r.Failed), web.TimeCell(r.StartedAt), web.TimeCell(r.FinishedAt),
				}
			})
		},
	},
	"completions": {
		[]string{"id", "ruleId", "rule", "member", "status", "message", "attempts", "begun", "nextAttempt", "changed"},
		func(d *jobsData) [][]string {
			return web.CellRows(d.Completions, func(j completionjobs.Job) []string {
				next := ""
				if j.Status == completionjobs.Pending {
					next = web.TimeCell(j.Due())
				}
				return []string{
					web.IdCell(j.ID), web.IdCell(j.RuleID), d.RuleName(j.RuleID), web.IdCell(j.UserID), j.Status, j.Shown(),
					strconv.FormatInt(j.Attempts, 10), web.TimeCell(j.Created()), next, web.TimeCell(j.Ended()),
				}
			})
		},
	},
	"clearings": {
		[]string{"id", "kind", "currencyId", "ruleId", "status", "message", "accounts", "amount", "made", "changed"},
		func(d *jobsData) [][]string {
			return web.CellRows(d.Clearings, func(j reset.Job) []string {
				return []string{
					web.IdCell(j.ID), resetKindLabels[j.Kind], web.IdCell(j.CurrencyID), web.IdCell(j.RuleID), j.Status,
					web.TextCell(j.Message),
					strconv.FormatInt(j.Accounts, 10), j.Amount.String(), web.TimeCell(j.CreatedAt), web.TimeCell(j.UpdatedAt),
				}
			})
		},
	},
	"imports": {
		[]string{
			"id", "ruleId", "rule", "list", "status", "message", "read", "new", "skipped", "begun", "finished",
		},
		func(d *jobsData) [][]string {
			return web.CellRows(d.Imports, func(i lists.Import) []string {
				return []string{
					web.IdCell(i.ID), web.IdCell(i.Owner.ID), d.OwnerName(i), importKinds[i.Kind], i.Status, i.Message,
					strconv.FormatInt(i.Read, 10), strconv.FormatInt(i.Added, 10), strconv.FormatInt(i.Skipped, 10),
					web.TimeCell(i.CreatedAt), web.TimeCell(i.FinishedAt),
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
			return web.CellRows(d.Payouts, func(p payouts.Payout) []string {
				return []string{
					web.IdCell(p.ID), web.IdCell(p.UserID), p.Wallet, web.IdCell(p.RuleID.ID), d.PayoutSource(p), p.Amount.String(),
					string(p.Network), p.Status, p.Message, string(p.TxHash), strconv.FormatInt(p.Attempts, 10),
					web.TimeCell(p.CreatedAt), web.TimeCell(p.UpdatedAt),
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
				out = append(out, web.CellRows(p.Entries, func(e external.Entry) []string {
					return []string{
						web.IdCell(p.ID), e.Wallet, string(e.Direction), e.Amount, p.Status, p.Message,
						strconv.FormatInt(p.Attempts, 10), web.TimeCell(p.CreatedAt), web.TimeCell(p.FinishedAt),
						web.IdCell(p.TransactionID),
					}
				})...)
			}
			return out
		},
	},
}

// exportJobs exports as CSV the jobs of the tab and status that the query names.
func exportJobs(c *call) (web.View, error) {
	chosen := c.readJobTab()
	export := jobColumns[chosen.Tab.Name]
	readPage := func(page laurel.PageRequest) (web.SheetPart, error) {
		data := chosen
		more, last, err := chosen.Tab.list(c, &data, page)
		if err != nil {
			return web.SheetPart{}, err
		}
		return web.SheetPart{Rows: export.rows(&data), HasMore: more, LastID: last}, nil
	}
	return web.ExportCSV(chosen.Tab.Name+".csv", export.head, readPage)
}
