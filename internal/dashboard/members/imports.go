package members

import (
	"errors"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/points/ledger"
)

// importRoutes are for those who may credit points without a limit: a file may hold balances.
var importRoutes = []route{
	web.Get("/members/imports", admins.AdjustFreely, "members", importsPage),
	web.Get("/members/imports/imports.csv", admins.AdjustFreely, "members", exportImports),
	web.Post("/members/imports", admins.AdjustFreely, "members", "imported members", importMembers),
}

// importsData is the data of the page of imports.
type importsData struct {
	web.Refusal
	Imports    []memberimports.Import
	Pager      web.Pager
	Currencies parts.Currencies
	Columns    []string
	Currency   string // that is chosen; "": none
	Again      bool
}

// Polls reports whether an import is under way.
func (d importsData) Polls() bool {
	for _, i := range d.Imports {
		if i.IsOpen() {
			return true
		}
	}
	return false
}

// Choices returns the currencies that take opening balances: those whose balances Laurel keeps.
func (d importsData) Choices() []ledger.Currency {
	var out []ledger.Currency
	for _, currency := range d.Currencies.Live {
		if currency.PostURL == nil {
			out = append(out, currency)
		}
	}
	return out
}

// importsTitle is the title of the page.
const importsTitle = "Import members"

func importID(i memberimports.Import) laurel.ID { return i.ID }

// listImports lists a page of the website's imports.
func (c *call) listImports(page laurel.PageRequest) (laurel.Page[memberimports.Import], error) {
	return c.Imports.List(c.Context(), c.Scope.At(c.Site.ID), page)
}

// readImports reads a page of imports, and the currencies to choose from.
func (c *call) readImports() (importsData, error) {
	data := importsData{Columns: memberimports.Columns()}
	page, err := c.PageRequest()
	if err != nil {
		return data, err
	}
	page.Limit = web.SideListLimit
	list, err := c.listImports(page)
	if err != nil {
		return data, err
	}
	data.Imports, data.Pager = list.Data, c.Pager(page, list.HasNextPage, web.LastID(list, importID))
	data.Currencies, err = c.ReadCurrencies()
	if choices := data.Choices(); len(choices) > 0 {
		data.Currency = choices[0].ID.String()
	}
	return data, err
}

// importsPage shows the form that imports a file of members, and the imports, newest first. The list refreshes itself
// while an import is under way.
func importsPage(c *call) (web.View, error) {
	data, err := c.readImports()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("members-import", importsTitle, data)
}

// importMembers checks an uploaded file and starts its import. If a row of it is bad, nothing is imported, and the form
// is shown with the rows. A file that was imported before is imported again only if the form says so.
func importMembers(c *call) (web.View, error) {
	f, err := c.ReceiveFile("file")
	var isEarlier bool
	var in memberimports.File
	if err == nil {
		in = memberimports.File{Name: f.Name, Content: f, Again: c.PostFormValue("again") != ""}
		if in.CurrencyID, err = c.importCurrency(); err != nil {
			_ = f.Close()
		} else {
			_, isEarlier, err = c.Imports.StartFile(c.Context(), c.Scope.At(c.Site.ID), in)
			err = atFile(err)
		}
	}
	if err != nil {
		data, readErr := c.readImports()
		if readErr != nil {
			return web.View{}, readErr
		}
		return c.ShowRefused(err, "members-import", importsTitle, func(refusal web.Refusal) any {
			data.Refusal, data.Currency, data.Again = refusal, c.PostFormValue("currency"), in.Again
			return data
		})
	}
	notice := "The members are being imported."
	if isEarlier {
		notice = "This file was imported before, so nothing was done. To import it again, with its balances, choose that."
	}
	return c.Redirect(c.SitePath("members", "imports"), notice)
}

// importCurrency returns the posted currency of the opening balances; zero if there is none. Errors: Invalid.
func (c *call) importCurrency() (laurel.ID, error) {
	text := c.PostFormValue("currency")
	if text == "" {
		return laurel.ID{}, nil
	}
	id, err := laurel.ParseID(text)
	if err != nil {
		var faults laurel.Faults
		faults.Add("currency", "must be a currency of this website")
		err = faults.Err()
	}
	return id, err
}

// atFile returns a refusal of a file as a fault of the field "file", and any other error as it is.
func atFile(err error) error {
	var refused *laurel.Error
	if !errors.As(err, &refused) || refused.Code != laurel.Invalid || len(refused.Faults) > 0 {
		return err
	}
	var faults laurel.Faults
	// the form shows the fault behind its label, "File", which some messages begin with as well
	faults.AddText("file", strings.TrimPrefix(refused.Message, "File ")+". Nothing was imported.")
	return faults.Err()
}

// exportImports exports the imports as CSV.
func exportImports(c *call) (web.View, error) {
	head := []string{
		"id", "file", "status", "rows", "imported", "newMembers", "openingBalances", "message", "started", "ended",
	}
	return web.ExportCSV("imports.csv", head, web.PagedRows(c.listImports, importID,
		web.CellsOfEach(func(i memberimports.Import) []string {
			return []string{
				web.IdCell(i.ID), i.FileName, i.Status, strconv.FormatInt(i.Total, 10), strconv.FormatInt(i.Written, 10),
				strconv.FormatInt(i.NewMembers, 10), strconv.FormatInt(i.Openings, 10), i.Message,
				web.TimeCell(i.CreatedAt), web.TimeCell(i.FinishedAt),
			}
		})))
}
