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
	get("/health", admins.SeeJobs, "health", healthPage),
	post("/health/check", admins.ManageAdmins, "health", "", startCheck),
	get("/health/proof", admins.SeeJobs, "health", exportProof),
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
	Sound         bool
	Discrepancies int  // of all organizations
	IsTruncated   bool // the check stopped listing: there may be more than Discrepancies
	More          bool // there are more findings than are listed
	Findings      []finding
	LastBlock     *seal.Block // the organization's last block
}

// finding is a discrepancy that concerns the organization.
type finding struct {
	Entry, Account, Transaction laurel.ID
	Text                        string
}

// healthData is the data of the page.
type healthData struct {
	Seal     audit.SealState
	IsOwner  bool // of the organization: only owners may check
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

// readHealth reads how far the ledger is sealed. For owners of the organization it also reads the last check of the
// ledger.
func (c *request) readHealth() (data healthData, err error) {
	if data.Seal, err = c.d.Sealer.State(c.Context()); err != nil {
		return data, err
	}
	if data.IsOwner = isOwner(c.siteOrganization.Membership); !data.IsOwner {
		return data, nil
	}
	if data.Check, err = c.lastCheck(); err != nil {
		return data, err
	}
	if data.Check.LastBlock != nil {
		data.SealedAt = time.UnixMicro(data.Check.LastBlock.CreatedAt)
	}
	return data, nil
}

// maxFindings bounds the discrepancies that the page lists.
const maxFindings = 100

// lastCheck returns the state of the last check of the ledger. If that has finished without failing, it adds how many
// discrepancies it found in the whole ledger, those that concern the organization as findings, at most maxFindings, and
// the organization's last block.
func (c *request) lastCheck() (organizationCheck, error) {
	c.d.ledgerCheck.mu.Lock()
	out, report := organizationCheck{checkState: c.d.ledgerCheck.state}, c.d.ledgerCheck.report
	c.d.ledgerCheck.mu.Unlock()
	if out.Running || out.Failed || out.Finished.IsZero() {
		return out, nil
	}
	out.Discrepancies, out.Sound = len(report.Discrepancies), len(report.Discrepancies) == 0
	out.IsTruncated = report.IsTruncated()
	for _, head := range report.Seal.Heads {
		if head.OrganizationID == c.scope.OrganizationID {
			out.LastBlock = &head
		}
	}
	owned, err := c.d.Audit.DiscrepanciesOf(c.Context(), c.scope, report.Discrepancies)
	if err != nil {
		return out, err
	}
	if out.More = len(owned) > maxFindings; out.More {
		owned = owned[:maxFindings]
	}
	for _, d := range owned {
		out.Findings = append(out.Findings, finding{d.EntryID, d.AccountID, d.TransactionID, sentence(d.Problem)})
	}
	return out, nil
}

// startCheck starts a check of the whole ledger, unless one is already running. Only owners of the organization may
// start one.
func startCheck(c *request) (view, error) {
	if !isOwner(c.siteOrganization.Membership) {
		return view{}, laurel.Errorf(laurel.Forbidden, "Only owners of the organization can check the ledger.")
	}
	if !c.d.ledgerCheck.start(c.d.Audit, c.d.Now, c.d.Logger) {
		return c.redirect(c.sitePath("health"), "A check is already in progress.")
	}
	return c.redirect(c.sitePath("health"), "Check started.")
}

// checkTimeout is how long a check may take.
const checkTimeout = 6 * time.Hour

// start verifies the ledger in the background, for at most checkTimeout. It returns false if a check is
// already running in this process. A failure is logged.
func (l *ledgerCheck) start(books *audit.Service, now func() time.Time, log *slog.Logger) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Running {
		return false
	}
	l.state = checkState{Running: true, Began: now()}
	go func() {
		// not the context of the request that starts the check: that ends before the check does
		ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
		defer cancel()
		report, err := panics.Try(func() (audit.VerifyReport, error) { return books.Verify(ctx, audit.Trust{}) })
		if err != nil {
			log.Error("a check of the ledger failed", slog.Any("error", err))
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.report = report
		l.state.Running, l.state.Failed, l.state.Finished = false, err != nil, now()
	}()
	return true
}

// exportProof sends, as a JSON file, the proof that an entry was sealed and is unchanged. If the id of the entry is
// refused, the page is shown with the fault.
func exportProof(c *request) (view, error) {
	typedID := c.URL.Query().Get("entry")
	proof, err := c.proveEntry(typedID)
	if err != nil {
		data, readErr := c.readHealth()
		if readErr != nil {
			return view{}, readErr
		}
		return c.showRefused(err, "health", "Ledger health", func(faults map[string]string, why string) any {
			data.Entry, data.Faults, data.Error = typedID, faults, why
			return data
		})
	}
	body, err := json.MarshalIndent(proof, "", "  ")
	if err != nil {
		return view{}, err
	}
	return view{fileName: "proof-" + typedID + ".json", contentType: "application/json", stream: func(w io.Writer) error {
		_, err := w.Write(append(body, '\n'))
		return err
	}}, nil
}

// proveEntry returns the proof that the entry with a typed id is sealed. An entry of another website is refused like an
// unknown one.
func (c *request) proveEntry(typedID string) (seal.Proof, error) {
	var faults laurel.Faults
	id, err := laurel.ParseID(typedID)
	if err != nil {
		faults.Add("entry", "must be an entry ID, such as 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b")
		return seal.Proof{}, faults.Err()
	}
	exists, err := c.d.Audit.OwnsEntry(c.Context(), c.scope, id)
	if err != nil {
		return seal.Proof{}, err
	}
	if !exists {
		faults.Add("entry", "must be the ID of an entry of %s", c.site.Name)
		return seal.Proof{}, faults.Err()
	}
	return c.d.Audit.Proof(c.Context(), id)
}
