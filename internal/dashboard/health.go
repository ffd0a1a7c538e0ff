package dashboard

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"sync"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/panics"
	"laurel/internal/points/audit"
	"laurel/internal/points/seal"
)

var healthRoutes = []route{
	{onWebsite, admins.SeeJobs, "health", get, "/health", healthPage},
	{onWebsite, admins.ManageAdmins, "health", post, "/health/check", startCheck},
	{onWebsite, admins.SeeJobs, "health", get, "/health/proof", exportProof},
}

// ledgerCheck is the verification of the whole database by this process. Only one runs at a time.
type ledgerCheck struct {
	mu     sync.Mutex
	state  checkState
	report audit.VerifyReport
}

// checkState says whether a check runs, and when it began and finished.
type checkState struct {
	Running         bool
	Began, Finished time.Time // zero: not yet
	Failed          bool      // it could not run; the log has the reason
}

// organizationCheck is the part of a check that an organization may see: its own findings, and the number of all.
type organizationCheck struct {
	checkState
	Sound    bool
	Found    int  // discrepancies in all
	Cut      bool // the check stopped listing: there may be more than Found
	More     bool // there are more than are listed
	Findings []finding
	Head     *seal.Block // the organization's last block
}

// finding is a discrepancy that concerns the organization.
type finding struct {
	Entry, Account, Transaction laurel.ID
	Text                        string
}

// healthData is the data of the page.
type healthData struct {
	Seal     audit.SealState
	Owner    bool // of the organization: only owners may check
	Check    organizationCheck
	Entry    string // as it was typed
	Faults   map[string]string
	Error    string
	SealedAt time.Time // of the organization's last block that the check saw
}

// healthPage shows how far the ledger is sealed, and the last check of it.
func healthPage(c *request) (view, error) {
	data, err := c.readHealth()
	if err != nil {
		return view{}, err
	}
	return pageView("health", "Ledger health", data)
}

// readHealth reads the state of the seals; for owners of the organization also the last check.
func (c *request) readHealth() (data healthData, err error) {
	if data.Seal, err = c.d.Sealer.State(c.Context()); err != nil {
		return data, err
	}
	if data.Owner = isOwner(c.siteOrganization.Membership); !data.Owner {
		return data, nil
	}
	if data.Check, err = c.lastCheck(); err != nil {
		return data, err
	}
	if data.Check.Head != nil {
		data.SealedAt = time.UnixMicro(data.Check.Head.CreatedAt)
	}
	return data, nil
}

// maxFindings bounds the discrepancies that the page lists.
const maxFindings = 100

// lastCheck returns the last check with the findings of the organization, at most maxFindings.
func (c *request) lastCheck() (organizationCheck, error) {
	c.d.ledgerCheck.mu.Lock()
	out, found := organizationCheck{checkState: c.d.ledgerCheck.state}, c.d.ledgerCheck.report
	c.d.ledgerCheck.mu.Unlock()
	if out.Running || out.Failed || out.Finished.IsZero() {
		return out, nil
	}
	out.Found, out.Sound = len(found.Discrepancies), len(found.Discrepancies) == 0
	out.Cut = found.IsTruncated()
	for _, head := range found.Seal.Heads {
		if head.OrganizationID == c.scope.OrganizationID {
			out.Head = &head
		}
	}
	own, err := c.d.Audit.DiscrepanciesOf(c.Context(), c.scope, found.Discrepancies)
	if err != nil {
		return out, err
	}
	if out.More = len(own) > maxFindings; out.More {
		own = own[:maxFindings]
	}
	for _, d := range own {
		out.Findings = append(out.Findings, finding{d.EntryID, d.AccountID, d.TransactionID, sentence(d.Problem)})
	}
	return out, nil
}

// startCheck starts a check of the ledger, unless one runs already. Only owners of the organization may.
func startCheck(c *request) (view, error) {
	if !isOwner(c.siteOrganization.Membership) {
		return view{}, laurel.Errorf(laurel.Forbidden, "Only owners of the organization can check the ledger.")
	}
	if !c.d.startLedgerCheck() {
		return c.redirect(c.sitePath("health"), "A check is already in progress.")
	}
	return c.redirect(c.sitePath("health"), "Check started.")
}

// checkTimeout is how long a check may take.
const checkTimeout = 6 * time.Hour

// startLedgerCheck verifies the ledger in the background. It returns false if that is already under way.
func (d *Dashboard) startLedgerCheck() bool {
	d.ledgerCheck.mu.Lock()
	defer d.ledgerCheck.mu.Unlock()
	if d.ledgerCheck.state.Running {
		return false
	}
	d.ledgerCheck.state = checkState{Running: true, Began: d.Now()}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), checkTimeout) // the request that began it ends before
		defer cancel()
		report, err := panics.Try(func() (audit.VerifyReport, error) { return d.Audit.Verify(ctx, audit.Trust{}) })
		if err != nil {
			d.Logger.Error("a check of the ledger failed", slog.Any("error", err))
		}
		d.ledgerCheck.mu.Lock()
		defer d.ledgerCheck.mu.Unlock()
		d.ledgerCheck.report = report
		d.ledgerCheck.state.Running, d.ledgerCheck.state.Failed, d.ledgerCheck.state.Finished = false, err != nil, d.Now()
	}()
	return true
}

// exportProof sends a proof, as JSON, that an entry of the website was sealed and is unchanged.
func exportProof(c *request) (view, error) {
	text := c.URL.Query().Get("entry")
	proof, err := c.proveEntry(text)
	if err != nil {
		data, readErr := c.readHealth()
		if readErr != nil {
			return view{}, readErr
		}
		return c.showRefused(err, "health", "Ledger health", func(faults map[string]string, why string) any {
			data.Entry, data.Faults, data.Error = text, faults, why
			return data
		})
	}
	body, err := json.MarshalIndent(proof, "", "  ")
	if err != nil {
		return view{}, err
	}
	return view{fileName: "proof-" + text + ".json", contentType: "application/json", stream: func(w io.Writer) error {
		_, err := w.Write(append(body, '\n'))
		return err
	}}, nil
}

// proveEntry returns the proof of an entry of this website. An entry of another website is refused like an unknown one.
func (c *request) proveEntry(text string) (seal.Proof, error) {
	var f laurel.Faults
	id, err := laurel.ParseID(text)
	if err != nil {
		f.Add("entry", "must be an entry ID, such as 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b")
		return seal.Proof{}, f.Err()
	}
	has, err := c.d.Audit.OwnsEntry(c.Context(), c.scope, id)
	if err != nil {
		return seal.Proof{}, err
	}
	if !has {
		f.Add("entry", "must be the ID of an entry of %s", c.site.Name)
		return seal.Proof{}, f.Err()
	}
	return c.d.Audit.Proof(c.Context(), id)
}
