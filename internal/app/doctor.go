package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
)

// FindingState says how good a part of a set-up is.
type FindingState string

// The states of findings.
const (
	FindingOK   FindingState = "ok"
	FindingWarn FindingState = "warn" // the server starts, and something may go wrong later
	FindingFail FindingState = "fail" // the server does not start, or loses data or money
)

// Finding is what a check of a set-up has found.
type Finding struct {
	State   FindingState `json:"state"`
	Check   string       `json:"check"` // such as database
	Message string       `json:"message"`
	Advice  string       `json:"advice,omitempty"` // what to do; empty for ok
}

// Checkup is a set-up to be checked: the configuration of a server, and its addresses to listen on.
type Checkup struct {
	Config
	Listen, MetricsListen string
}

// examination collects the findings about a set-up.
type examination struct {
	Checkup
	findings []Finding
}

// add adds a finding.
func (x *examination) add(state FindingState, check, message, advice string) {
	x.findings = append(x.findings, Finding{state, check, message, advice})
}

// ok adds a finding that is as it should be.
func (x *examination) ok(check, format string, args ...any) {
	x.add(FindingOK, check, fmt.Sprintf(format, args...), "")
}

// Examine checks a set-up from end to end and returns what it has found, in the order of the checks. It changes
// nothing: no file, no table, no lock. It calls nodes of networks, and connects to the operator's providers.
func (c Checkup) Examine(ctx context.Context) []Finding {
	x := &examination{Checkup: c}
	x.ok("version", "%s", Version())
	x.checkConfiguration()
	db := x.checkDatabase(ctx)
	x.checkSecret(db)
	x.checkSealKey(db)
	x.checkFolders(ctx)
	x.checkExposure()
	x.checkListener(ctx, "listen", "--listen", c.Listen, c.Prefix+"/healthz")
	if c.MetricsListen != "" {
		x.checkListener(ctx, "metrics", "--metrics-listen", c.MetricsListen, "/metrics")
	}
	x.checkFiles(ctx)
	return x.findings
}

// checkConfiguration checks flags and variables, each by itself.
func (x *examination) checkConfiguration() {
	_, err := x.validate()
	if err == nil {
		x.ok("configuration", "every flag and variable has a valid value")
		return
	}
	for _, fault := range faultsOf(err) {
		x.add(FindingFail, "configuration", fault, "set another value; laurel serve --help lists the flags with their variables")
	}
}

// faultsOf returns the texts of the faults of an error, or its own.
func faultsOf(err error) []string {
	var refused *laurel.Error
	if !errors.As(err, &refused) || len(refused.Faults) == 0 {
		return []string{err.Error()}
	}
	var out []string
	for _, f := range refused.Faults {
		out = append(out, f.Message)
	}
	return out
}

// checkSecret checks whether LAUREL_SECRET is set, and opens what the database has sealed.
func (x *examination) checkSecret(db store.Inspection) {
	under := strings.Fields(db.Settings[sealedUnderSetting])
	if x.Secret == "" {
		if len(under) > 0 && db.Settings[storedKeySetting] == "" {
			x.add(FindingFail, "secret", errSecretUnset(under).Error(), "set LAUREL_SECRET to the one of the running servers")
			return
		}
		x.add(FindingWarn, "secret", "LAUREL_SECRET is not set: secrets are sealed with a key that lies in the same database",
			"set it to a random text, such as that of openssl rand -hex 32, before the first start, and store it elsewhere; "+
				"laurel secrets rotate-instance moves existing secrets")
		return
	}
	v, err := newVault(&store.DB{}, x.Secret, db.Settings[storedKeySetting])
	if err == nil {
		err = checkCanOpen(v, under, true)
	}
	switch {
	case err != nil:
		x.add(FindingFail, "secret", err.Error(), "set LAUREL_SECRET to the one of the running servers")
	case len(under) > 1:
		x.add(FindingWarn, "secret", "some secrets may still be sealed under the key that lies in the database",
			"stop every server and run laurel secrets rotate-instance with this secret as LAUREL_SECRET and as LAUREL_NEW_SECRET")
	case len(under) == 0:
		x.ok("secret", "LAUREL_SECRET is set; nothing is sealed yet")
	default:
		x.ok("secret", "LAUREL_SECRET opens what the database has sealed")
	}
}

// checkSealKey checks the key that signs blocks.
func (x *examination) checkSealKey(db store.Inspection) {
	const check = "seal key"
	if x.SealKey == "" && db.Settings[sealKeySetting] != "" {
		x.ok(check, "blocks are signed with the key that laurel secrets rotate-instance has stored")
		return
	}
	if x.SealKey == "" && x.Secret != "" {
		x.ok(check, "blocks are signed with a key derived from LAUREL_SECRET")
		return
	}
	path := sealKeyFile(x.Config)
	_, err := loadSealKey(x.Config)
	if errors.Is(err, fs.ErrNotExist) {
		x.ok(check, "%s does not exist yet; the first server creates it", path)
		return
	}
	if err != nil {
		x.add(FindingFail, check, err.Error(), "mend the file, or remove it: the next server creates a new key, and earlier blocks stay valid")
		return
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		x.add(FindingWarn, check, fmt.Sprintf("%s can be read by others than its owner", path), "chmod 600 "+path)
		return
	}
	x.ok(check, "blocks are signed with the key in %s", path)
}

// checkFolders checks where uploaded files and the SQLite database lie.
func (x *examination) checkFolders(ctx context.Context) {
	if path, ok := strings.CutPrefix(x.Database, "sqlite:"); ok {
		x.checkFolder("database folder", folderOf(strings.TrimPrefix(path, "//")), true)
	}
	files := x.DataDir
	if files == "" {
		files = serverPath(x.Config, "files")
	}
	x.checkFolder("data folder", files, false)
	if x.FilesBucket == "" {
		return
	}
	if _, err := content.OpenBucket(ctx, x.FilesBucket); err != nil {
		x.add(FindingFail, "bucket", "--files-bucket: "+err.Error(), "see Files in a bucket in docs/operations.md")
		return
	}
	x.ok("bucket", "the bucket of --files-bucket responds")
}

// checkFiles checks the files that flags name, and what they lead to.
func (x *examination) checkFiles(ctx context.Context) {
	own := outbound.New(outbound.Options{Trusted: true})
	read := func(flag, path string, parse func() error) {
		if path == "" {
			return
		}
		if err := parse(); err != nil {
			for _, fault := range faultsOf(err) {
				x.add(FindingFail, flag, fault, "mend "+path+"; the server does not start with it")
			}
			return
		}
		x.ok(flag, "%s is valid", path)
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o004 != 0 && flag != "networks" {
			x.add(FindingWarn, flag, path+" can be read by everybody on this machine, and may hold secrets", "chmod 640 "+path)
		}
		if flag != "networks" {
			x.checkAddressesIn(ctx, flag, path)
		}
	}
	read("payouts", x.Payouts, func() error { _, err := x.openPayoutDrivers(own); return err })
	read("minting", x.Minting, func() error { _, err := x.openMintingDriver(own); return err })
	read("partners", x.Partners, func() error { _, err := x.readPartners(own.Guard); return err })
	read("identity", x.Identity, func() error { _, err := x.readIdentity(own.Guard); return err })
	read("networks", x.Networks, func() error { return x.checkNetworks(ctx, own) })
}
