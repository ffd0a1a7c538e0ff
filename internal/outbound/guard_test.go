package outbound_test

import (
	"net/netip"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

func TestAddressesThatMayBeCalled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		open          bool
		addresses     string
		allow         string
		inDevelopment bool
	}{
		{name: "public addresses", open: true, addresses: "1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.1 100.63.0.1 100.128.0.1 2606:4700::1111 2a00:1450::1"},
		{name: "this machine", addresses: "127.0.0.1 127.255.255.254 ::1 0.0.0.0 0.1.2.3 ::"},
		{name: "private networks", addresses: "10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 fc00::1 fd12:3456::1 fec0::1"},
		{name: "the link", addresses: "169.254.0.1 fe80::1 fe80::1%eth0"},
		{name: "metadata services", addresses: "169.254.169.254 169.254.170.2 fd00:ec2::254 168.63.129.16 100.100.100.200 192.0.0.192"},
		{name: "many at once", addresses: "224.0.0.1 239.255.255.255 255.255.255.255 240.0.0.1 ff02::1 ff0e::1"},
		{name: "reserved for documents and tests", addresses: "192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 2001:db8::1 3fff::1 100::1 5f00::1"},
		{name: "wrapped private addresses", addresses: "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe " +
			"64:ff9b:1::a9fe:a9fe 2002:7f00:1:: 2002:c0a8:1::1 ::10.0.0.1 2001:0:4136:e378:8000:63bf:3fff:fdd2"},
		{name: "wrapped public addresses", open: true, addresses: "::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"},
		{name: "what the operator allows", open: true, allow: "10.1.0.0/16", addresses: "10.1.2.3 ::ffff:10.1.2.3 64:ff9b::a01:203"},
		{name: "what lies beside it", allow: "10.1.0.0/16", addresses: "10.2.0.1 127.0.0.1"},
		{name: "loopback in development", open: true, inDevelopment: true, addresses: "127.0.0.1 ::1 ::ffff:127.0.0.1"},
		{name: "no other address in development", inDevelopment: true, addresses: "10.0.0.1 169.254.169.254 fd00::1 0.0.0.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := outbound.Options{Dev: c.inDevelopment}
			if c.allow != "" {
				o.Allow = []netip.Prefix{netip.MustParsePrefix(c.allow)}
			}
			client := outbound.New(o)
			for address := range strings.FieldsSeq(c.addresses) {
				if got := client.Allows(netip.MustParseAddr(address)); got != c.open {
					t.Errorf("%s: allowed is %t", address, got)
				}
			}
		})
	}
	if outbound.New(outbound.Options{}).Allows(netip.Addr{}) {
		t.Error("no address at all is allowed")
	}
}

func TestURLsThatMayBeStored(t *testing.T) {
	t.Parallel()
	const valid, https, credentials, private = "apiGetUrl must be a valid url", "apiGetUrl must use https", "apiGetUrl must not contain credentials",
		"apiGetUrl must not point to a private address"
	for _, c := range []struct {
		url, problem string
		dev          bool
	}{
		{url: "https://api.example.com/points?a=b"},
		{url: "https://api.example.com:8443/points"},
		{url: "https://1.1.1.1/"},
		{url: "https://[2606:4700::1111]/"},
		{url: "https://localhost/"}, // a name: its addresses are checked when it is called
		{url: "https://xn--bcher-kva.example/"},
		{url: "", problem: valid},
		{url: "api.example.com", problem: valid},
		{url: "/points", problem: valid},
		{url: "ftp://api.example.com", problem: valid},
		{url: "javascript:alert(1)", problem: valid},
		{url: "https://", problem: valid},
		{url: "https:///path", problem: valid},
		{url: "https://:443/", problem: valid},
		{url: "https://api.example.com:0/", problem: valid},
		{url: "https://api.example.com:65536/", problem: valid},
		{url: "https://api.example.com:/", problem: valid},
		{url: "https://api.example.com/#here", problem: valid},
		{url: "https://api.example.com/#", problem: valid},
		{url: "https://api.example.com/" + strings.Repeat("a", 2048), problem: valid},
		{url: "https://2130706433/", problem: valid},
		{url: "https://127.1/", problem: valid},
		{url: "https://0x7f000001/", problem: valid},
		{url: "https://0177.0.0.1/", problem: valid},
		{url: "https://127.0.0.1./", problem: valid},
		{url: "https://exa mple.com/", problem: valid},
		{url: "http://api.example.com/", problem: https},
		{url: "http://127.0.0.1/", problem: https},
		{url: "https://me:secret@api.example.com/", problem: credentials},
		{url: "https://me@api.example.com/", problem: credentials},
		{url: "https://127.0.0.1/", problem: private},
		{url: "https://[::1]/", problem: private},
		{url: "https://[::ffff:10.0.0.1]/", problem: private},
		{url: "https://[fe80::1%25eth0]/", problem: private},
		{url: "https://169.254.169.254/latest/meta-data", problem: private},
		{url: "http://api.example.com/", dev: true},
		{url: "http://127.0.0.1:9000/", dev: true},
		{url: "http://10.0.0.1/", dev: true, problem: private},
	} {
		var f laurel.Faults
		outbound.New(outbound.Options{Dev: c.dev}).Check(&f, "apiGetUrl", c.url)
		got := ""
		if len(f) > 0 {
			got = f[0].Message
		}
		if got != c.problem {
			t.Errorf("%q: %q, want %q", c.url, got, c.problem)
		}
	}
}
