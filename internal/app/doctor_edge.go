package app

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/outbound"
)

const (
	reachTimeout = 5 * time.Second
	scarceSpace  = 1 << 30   // bytes of free space that deserve a warning
	minimalSpace = 100 << 20 // bytes of free space below which a server should not start
)

// folderOf returns the folder of a file.
func folderOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return filepath.Dir(path)
}

// checkFolder checks that a folder, or the nearest one above it that exists, can be written and has space. It writes
// nothing. holdsDatabase: file systems on which SQLite fails are faults.
func (x *examination) checkFolder(check, path string, holdsDatabase bool) {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	existing := nearestExisting(path)
	info, err := os.Stat(existing)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err == nil {
		err = mayWrite(existing)
	}
	if err != nil {
		x.add(FindingFail, check, fmt.Sprintf("%s cannot be written: %s", existing, plainError(err)),
			"choose another folder, or let the user of the server write it")
		return
	}
	kind, isNetwork, isLost := fileSystemOf(existing)
	switch {
	case isNetwork && holdsDatabase:
		x.add(FindingFail, check, fmt.Sprintf("%s is on a network file system (%s), on which SQLite loses data", existing, kind),
			"put the file on a local disk, or use PostgreSQL")
	case isLost:
		x.add(FindingWarn, check, fmt.Sprintf("%s is on %s, which does not outlive the machine or the container", existing, kind),
			"put it on a disk or a volume")
	}
	free, isKnown := freeSpace(existing)
	switch {
	case !isKnown:
		x.ok(check, "%s can be written", existing)
	case free < minimalSpace:
		x.add(FindingFail, check, fmt.Sprintf("%s has %s of free space", existing, sizeText(free)), "free some, or use a larger disk")
	case free < scarceSpace:
		x.add(FindingWarn, check, fmt.Sprintf("%s has %s of free space", existing, sizeText(free)), "free some, or use a larger disk")
	default:
		x.ok(check, "%s can be written and has %s of free space", existing, sizeText(free))
	}
}

// plainError returns the text of an error without the path that a message names already.
func plainError(err error) string {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		return inner.Err.Error()
	}
	return err.Error()
}

// checkExposure checks what strangers can reach, and what they can make the server believe.
func (x *examination) checkExposure() {
	before := len(x.findings)
	nets, _ := x.validate() // its faults are findings already
	isPublic := !isLoopbackHost(hostOf(x.Listen))
	for _, proxy := range nets.proxies {
		if proxy.Bits() == 0 {
			x.add(FindingFail, "proxies", "--trusted-proxies "+proxy.String()+" trusts every caller: each can choose the address that limits count",
				"name the addresses of your proxies alone")
		}
	}
	if x.Dev && isPublic {
		x.add(FindingFail, "exposure", "--dev is set, and "+x.Listen+" can be reached from other machines",
			"remove --dev: tenants' urls could reach this machine, and errors show their causes")
	}
	isHTTPS := strings.HasPrefix(x.PublicURL, "https://")
	if isHTTPS && len(nets.proxies) == 0 {
		x.add(FindingWarn, "proxies", "--public-url is https, so a proxy stands before the server, and --trusted-proxies does not name it",
			"name it; else all callers share the limits of one address")
	}
	if isPublic && !isHTTPS && !x.Dev {
		x.add(FindingWarn, "exposure", x.Listen+" can be reached from other machines without TLS, and --public-url is not https",
			"put a proxy with TLS before the server, and set --public-url")
	}
	if x.MetricsListen != "" && !isPrivateHost(hostOf(x.MetricsListen)) {
		x.add(FindingWarn, "metrics", "--metrics-listen "+x.MetricsListen+" may be reached by strangers, and has no key",
			"choose an address of a private network, or let a firewall protect it")
	}
	if x.NoRateLimits {
		x.add(FindingWarn, "exposure", "rate limits are off", "remove --rate-limits off")
	}
	if limit, ok := openFileLimit(); ok && x.Edge != nil && limit < uint64(max(x.Edge.Connections, 0))+minimalFiles { //nolint:gosec // not negative
		x.add(FindingWarn, "open files", fmt.Sprintf("the process may open %d files, and --max-connections is %d", limit, x.Edge.Connections),
			"raise the limit (LimitNOFILE= of systemd, ulimit -n), or lower --max-connections")
	}
	if len(x.findings) == before {
		x.ok("exposure", "proxies, TLS and limits fit together")
	}
}

// minimalFiles is how many files a server needs beside connections of callers.
const minimalFiles = 128

// hostOf returns the host of an address to listen on.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	return host
}

// isLoopbackHost reports whether a host is this machine alone.
func isLoopbackHost(host string) bool {
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && address.IsLoopback()
}

// isPrivateHost reports whether a host is this machine or an address of a private network. That of all networks is not.
func isPrivateHost(host string) bool {
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return isLoopbackHost(host) || err == nil && (address.IsPrivate() || address.IsLinkLocalUnicast())
}

// checkListener checks that an address can be listened on. An address in use is fine where a server of Laurel responds.
func (x *examination) checkListener(ctx context.Context, check, flag, address, path string) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err == nil {
		_ = listener.Close()
		x.ok(check, "%s is free", address)
		return
	}
	if errors.Is(err, syscall.EADDRINUSE) && isServedAt(ctx, address, path) {
		x.ok(check, "%s is in use by a running server, which responds", address)
		return
	}
	x.add(FindingFail, check, fmt.Sprintf("%s %s: %s", flag, address, err), "choose another address with "+flag+", or end the program that uses it")
}

// isServedAt reports whether a server of Laurel responds at an address to listen on.
func isServedAt(ctx context.Context, address, path string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, http.NoBody)
	if err != nil {
		return false
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return false
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode == http.StatusOK && (path == "/metrics" || response.Header.Get("X-Request-Id") != "")
}

// checkNetworks reads the file of networks, and asks each of their nodes. It returns the faults of the file.
func (x *examination) checkNetworks(ctx context.Context, own *outbound.Client) error {
	registry, err := x.readNetworks(own.Guard)
	if err != nil {
		return err
	}
	silent := slog.New(slog.DiscardHandler)
	clients := node.New(node.Config{Registry: registry, Outbound: own, Now: time.Now, Logger: silent}).Clients()
	problems := make([][]string, len(clients))
	var asking sync.WaitGroup
	for i, client := range clients {
		asking.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, 2*reachTimeout)
			defer cancel()
			problems[i] = client.CheckAddresses(ctx)
		})
	}
	asking.Wait()
	for i, client := range clients {
		x.reportNetwork(client.Network().Name, problems[i])
	}
	return nil
}

// reportNetwork adds the findings about the addresses of a network.
func (x *examination) reportNetwork(name string, problems []string) {
	working := 0
	for _, problem := range problems {
		if problem == "" {
			working++
		}
	}
	state := FindingWarn
	if working == 0 {
		state = FindingFail
	}
	for i, problem := range problems {
		if problem != "" {
			x.add(state, "network "+name, fmt.Sprintf("address %d: %s", i+1, problem),
				"check the address, its key and its limits; "+fmt.Sprintf("%d of %d addresses of the network work", working, len(problems)))
		}
	}
	if working == len(problems) {
		x.ok("network "+name, "%d of %d addresses respond, and are of the right chain", working, working)
	}
}

// checkAddressesIn connects to the hosts whose addresses stand in a JSON file of the operator's. It sends nothing but a
// TLS handshake. A host that cannot be reached may come back, and may be reached through a proxy, so it is a warning.
func (x *examination) checkAddressesIn(ctx context.Context, check, path string) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own choice
	if err != nil {
		return
	}
	var content any
	if json.Unmarshal(text, &content) != nil {
		return
	}
	hosts := map[string]bool{} // by host and port: with TLS
	collectHosts(content, hosts)
	names := make([]string, 0, len(hosts))
	for name := range hosts {
		names = append(names, name)
	}
	slices.Sort(names)
	reached := 0
	for _, name := range names {
		if err := reach(ctx, name, hosts[name]); err != nil {
			x.add(FindingWarn, check, fmt.Sprintf("%s cannot be reached: %s", name, err), "check the address, DNS, the firewall and the certificate")
			continue
		}
		reached++
	}
	if reached > 0 && reached == len(names) {
		x.ok(check, "%d hosts that it names can be reached", reached)
	}
}

// defaultPorts are the ports of schemes, and whether they begin with TLS.
var defaultPorts = map[string]struct {
	port  string
	isTLS bool
}{"http": {"80", false}, "https": {"443", true}, "smtp": {"587", false}, "smtps": {"465", true}}

// collectHosts adds the hosts of all addresses in a JSON value, with their ports, and whether they begin with TLS.
func collectHosts(value any, hosts map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			collectHosts(inner, hosts)
		}
	case []any:
		for _, inner := range v {
			collectHosts(inner, hosts)
		}
	case string:
		u, err := url.Parse(v)
		if err != nil || u.Hostname() == "" || strings.ContainsAny(u.Host, "{}") {
			return
		}
		known, ok := defaultPorts[u.Scheme]
		if !ok {
			return
		}
		port := u.Port()
		if port == "" {
			port = known.port
		}
		hosts[net.JoinHostPort(u.Hostname(), port)] = known.isTLS
	}
}

// reach connects to a host and closes the connection.
func reach(ctx context.Context, address string, isTLS bool) error {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	var conn net.Conn
	var err error
	if isTLS {
		conn, err = (&tls.Dialer{Config: &tls.Config{MinVersion: tls.VersionTLS12}}).DialContext(ctx, "tcp", address)
	} else {
		conn, err = (&net.Dialer{}).DialContext(ctx, "tcp", address)
	}
	if err != nil {
		return err
	}
	return conn.Close()
}
