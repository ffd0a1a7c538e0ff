package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/webhooks"
)

// Config is the configuration of a server. The zero value of a field is its default.
type Config struct {
	Database     string // sqlite:PATH or postgres://…
	Prefix       string // path prefix of every route
	Dev          bool   // development: relaxed address checks, causes in 500 bodies
	NoRateLimits bool   // disables every rate limit
	Outbox       bool   // stores messages for which there is no gateway, for the dashboard; Dev does so, too
	// QuickPasswords is for tests: it hashes the passwords of admins cheaply.
	QuickPasswords bool
	Secret         string // LAUREL_SECRET: seals secrets at rest; empty: a key kept in the database
	// file of the key that signs blocks; empty: by LAUREL_SECRET, else a file beside the database
	SealKey             string
	TrustedProxies      []string          // CIDRs whose X-Forwarded-For is believed
	CountryHeader       string            // in which these proxies state the country of a request; empty: none
	CallbackAllow       []string          // private CIDRs that may be called
	DataDir             string            // folder of uploaded files; empty: beside the database
	FilesBucket         string            // address of a bucket that holds uploaded files; empty: the folder does
	Address             string            // where the server listens, with the prefix; begins links if PublicURL is empty
	PublicURL           string            // address of the service, with the prefix; empty: addresses of files are paths
	FileQuotas          *FileQuotas       // how many bytes files may have in all; nil: content.DefaultQuotas()
	TxLimit             time.Duration     // as store.Options has it; for tests
	RerunBatches        bool              // as store.Options has it; for tests
	Payouts             string            // file with the address of the payout driver; empty: there is none
	Minting             string            // file with the address of the minting driver; empty: there is none
	Caps                *Caps             // limits of live records; nil: DefaultCaps()
	ConcurrentFunctions int               // functions that run at once; 0: two per CPU, 4 at least
	WaitingFunctions    int               // functions that may wait to be run; 0: 256
	Partners            string            // file with the partners that verify members; empty: there are none
	Identity            string            // file with the providers of accounts; empty: there are none
	Networks            string            // file with the networks that are read; empty: there are none
	PlatformLabels      map[string]string // display names of platforms by platform id, where they differ from the defaults
	Logger              *slog.Logger      // nil: slog.Default()
	Now                 func() time.Time  // nil: the system's clock
	Clock               bool              // callers set the clock of the database, which must have one; only with Dev
	// DemoPage returns the HTML of /demo, for laurel demo; nil: there is no such page.
	DemoPage        func(ctx context.Context) ([]byte, error)
	Webhooks        webhooks.Policy // when deliveries are retried; zero: contract 7.5
	Drain           time.Duration   // how long /readyz returns 503 before the listener closes; 0: not at all
	Edge            *Edge           // limits of connections and requests; nil: DefaultEdge()
	MetricsListener net.Listener    // serves /metrics in place of the handler; nil: the handler does
	Exclusive       bool            // refuse a second server on one SQLite file
	NoMigrate       bool            // the database must exist and be up to date; else it is created and migrated
	WithoutSecrets  bool            // for commands that need no secret: none is opened or sealed
}

// FileQuotas limits the bytes of all uploaded files.
type FileQuotas = content.Quotas

// fileQuotas returns the quotas in force: those of the configuration, or the defaults.
func (c Config) fileQuotas() FileQuotas {
	if c.FileQuotas == nil {
		return content.DefaultQuotas()
	}
	return *c.FileQuotas
}

var headerName = regexp.MustCompile("^[A-Za-z0-9-]{1,100}$")

const (
	minSecret = 16
	maxLabel  = 100
)

// cidrs holds the parsed CIDRs of a configuration: trusted proxies, and what callbacks may reach.
type cidrs struct{ proxies, callbacks []netip.Prefix }

// openMintingDriver returns the driver whose address is in the file of --minting; nil without a file.
func (c Config) openMintingDriver(client *outbound.Client) (minting.Driver, error) {
	if c.Minting == "" {
		return nil, nil
	}
	endpoint, err := readEndpoint(client, "--minting", c.Minting)
	return minting.HTTP(client, endpoint), err
}

// readEndpoint reads the file of a flag: an address of the operator's own, with headers.
func readEndpoint(client *outbound.Client, flag, file string) (outbound.Endpoint, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return outbound.Endpoint{}, fmt.Errorf("%s: %w", flag, err)
	}
	return parseEndpoint(&laurel.Faults{}, client, flag, content)
}

// parseEndpoint parses the content of a file with an address. The error also has the faults that f has already.
func parseEndpoint(f *laurel.Faults, client *outbound.Client, flag string, content []byte) (outbound.Endpoint, error) {
	endpoint := outbound.ParseEndpoint(f, flag, content)
	if len(*f) == 0 {
		client.Check(f, flag+": url", endpoint.URL)
	}
	return endpoint, f.Err()
}

// Check returns the error that Open and Run would return for a configuration, as far as it can be found without the
// database.
func (c Config) Check() error {
	if _, err := c.validate(); err != nil {
		return err
	}
	own := outbound.New(outbound.Options{Trusted: true})
	if _, err := c.openPayoutDrivers(own); err != nil {
		return err
	}
	if _, err := c.openMintingDriver(own); err != nil {
		return err
	}
	if _, err := c.readPartners(own.Guard); err != nil {
		return err
	}
	if _, err := c.readIdentity(own.Guard); err != nil {
		return err
	}
	if _, err := c.readNetworks(own.Guard); err != nil {
		return err
	}
	if _, err := loadSealKey(c); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// validate returns the parsed CIDRs of a configuration, or one error with all faults of its settings.
func (c Config) validate() (cidrs, error) {
	var f laurel.Faults
	if err := store.CheckURL(c.Database); err != nil {
		f.Add("--database", "%s", err)
	}
	if err := c.Webhooks.Validate(); err != nil {
		f.AddText("--webhook-retry-schedule", err.Error())
	}
	if c.Secret != "" && len(c.Secret) < minSecret {
		f.Add("LAUREL_SECRET", "must have at least %d characters", minSecret)
	}
	if c.Prefix != "" && (!strings.HasPrefix(c.Prefix, "/") || strings.HasSuffix(c.Prefix, "/")) {
		f.Add("--prefix", "must begin with / and not end with it")
	}
	if c.Clock && !c.Dev {
		f.Add("--clock", "needs --dev, since everybody can move the time forward")
	}
	u, err := url.Parse(c.PublicURL)
	if c.PublicURL != "" &&
		(err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "") {
		f.Add("--public-url", "must be a url such as https://loyalty.example.com")
	}
	for _, platform := range slices.Sorted(maps.Keys(c.PlatformLabels)) {
		f.Text("--platform-labels", c.PlatformLabels[platform], 1, maxLabel)
		if !slices.Contains(platforms.IDs(), platform) {
			f.Add("--platform-labels", "%s is none of: %s", platform, strings.Join(platforms.IDs(), ", "))
		}
	}
	if c.CountryHeader != "" && !headerName.MatchString(c.CountryHeader) {
		f.Add("--country-header", "must be the name of a header")
	} else if c.CountryHeader != "" && len(c.TrustedProxies) == 0 {
		f.Add("--country-header", "needs --trusted-proxies: it is believed from those alone")
	}
	if c.Caps != nil {
		c.Caps.validate(&f)
	}
	if c.Drain < 0 {
		f.Add("--drain", "must not be negative")
	}
	if c.Edge != nil {
		c.Edge.validate(&f)
	}
	parsed := cidrs{
		proxies:   parseCIDRs(&f, "--trusted-proxies", c.TrustedProxies),
		callbacks: parseCIDRs(&f, "--callback-allow-cidrs", c.CallbackAllow),
	}
	return parsed, f.Err()
}

// readPartners returns the partners in the file of --partners; none without a file. The guard decides which addresses
// they may have.
func (c Config) readPartners(guard *outbound.Guard) ([]providers.Partner, error) {
	if c.Partners == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.Partners)
	if err != nil {
		return nil, fmt.Errorf("--partners: %w", err)
	}
	var f laurel.Faults
	list := providers.ReadPartners(&f, "--partners ", text, guard)
	return list, f.Err()
}

// parseCIDRs parses the CIDRs of a flag. A text that is no CIDR is left out, and a fault is added.
func parseCIDRs(f *laurel.Faults, flag string, texts []string) []netip.Prefix {
	var out []netip.Prefix
	for _, text := range texts {
		p, err := netip.ParsePrefix(strings.TrimSpace(text))
		if err != nil {
			f.Add(flag, "%s is no CIDR such as 10.0.0.0/8", text)
			continue
		}
		out = append(out, p)
	}
	return out
}
