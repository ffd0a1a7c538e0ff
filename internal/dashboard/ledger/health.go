package ledger

import (
	"encoding/json"
	"io"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/seal"
)

var healthRoutes = []route{
	web.Get("/health", admins.SeeJobs, "health", healthPage),
	web.Post("/health/check", admins.ManageAdmins, "health", "", startCheck),
	web.Get("/health/proof", admins.SeeJobs, "health", exportProof),
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
	web.Refusal
	Seal     audit.SealState
	IsOwner  bool // of the organization: only owners may check
	Check    organizationCheck
	Entry    string    // as it was typed
	SealedAt time.Time // of the organization's last block that the check saw
}

// healthPage shows how far the ledger is sealed, and the last check of it.
func healthPage(c *call) (web.View, error) {
	data, err := c.readHealth()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("health", "Ledger health", data)
}

// readHealth reads how far the ledger is sealed. For owners of the organization it also reads the last check of the
// ledger.
func (c *call) readHealth() (data healthData, err error) {
	if data.Seal, err = c.Sealer.State(c.Context()); err != nil {
		return data, err
	}
	if data.IsOwner = web.IsOwner(c.SiteOrganization.Membership); !data.IsOwner {
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
func (c *call) lastCheck() (organizationCheck, error) {
	c.ledgerCheck.mu.Lock()
	out, report := organizationCheck{checkState: c.ledgerCheck.state}, c.ledgerCheck.report
	c.ledgerCheck.mu.Unlock()
	if out.Running || out.Failed || out.Finished.IsZero() {
		return out, nil
	}
	out.Discrepancies, out.Sound = len(report.Discrepancies), len(report.Discrepancies) == 0
	out.IsTruncated = report.IsTruncated()
	for _, head := range report.Seal.Heads {
		if head.OrganizationID == c.Scope.OrganizationID {
			out.LastBlock = &head
		}
	}
	owned, err := c.Audit.DiscrepanciesOf(c.Context(), c.Scope, report.Discrepancies)
	if err != nil {
		return out, err
	}
	if out.More = len(owned) > maxFindings; out.More {
		owned = owned[:maxFindings]
	}
	for _, d := range owned {
		out.Findings = append(out.Findings, finding{d.EntryID, d.AccountID, d.TransactionID, web.Sentence(d.Problem)})
	}
	return out, nil
}

// startCheck starts a check of the whole ledger, unless one is already running. Only owners of the organization may
// start one.
func startCheck(c *call) (web.View, error) {
	if !web.IsOwner(c.SiteOrganization.Membership) {
		return web.View{}, laurel.Errorf(laurel.Forbidden, "Only owners of the organization can check the ledger.")
	}
	if !c.ledgerCheck.start(c.Audit, c.Now, c.Logger) {
		return c.Redirect(c.SitePath("health"), "A check is already in progress.")
	}
	return c.Redirect(c.SitePath("health"), "Check started.")
}

// checkTimeout is how long a check may take.
const checkTimeout = 6 * time.Hour

// exportProof sends, as a JSON file, the proof that an entry was sealed and is unchanged. If the id of the entry is
// refused, the page is shown with the fault.
func exportProof(c *call) (web.View, error) {
	typedID := c.URL.Query().Get("entry")
	proof, err := c.proveEntry(typedID)
	if err != nil {
		data, readErr := c.readHealth()
		if readErr != nil {
			return web.View{}, readErr
		}
		return c.ShowRefused(err, "health", "Ledger health", func(refusal web.Refusal) any {
			data.Entry, data.Refusal = typedID, refusal
			return data
		})
	}
	body, err := json.MarshalIndent(proof, "", "  ")
	if err != nil {
		return web.View{}, err
	}
	return web.View{FileName: "proof-" + typedID + ".json", ContentType: "application/json", Stream: func(w io.Writer) error {
		_, err := w.Write(append(body, '\n'))
		return err
	}}, nil
}

// proveEntry returns the proof that the entry with a typed id is sealed. An entry of another website is refused like an
// unknown one.
func (c *call) proveEntry(typedID string) (seal.Proof, error) {
	var faults laurel.Faults
	id, err := laurel.ParseID(typedID)
	if err != nil {
		faults.Add("entry", "must be an entry ID, such as 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b")
		return seal.Proof{}, faults.Err()
	}
	exists, err := c.Audit.OwnsEntry(c.Context(), c.Scope, id)
	if err != nil {
		return seal.Proof{}, err
	}
	if !exists {
		faults.Add("entry", "must be the ID of an entry of %s", c.Site.Name)
		return seal.Proof{}, faults.Err()
	}
	return c.Audit.Proof(c.Context(), id)
}
