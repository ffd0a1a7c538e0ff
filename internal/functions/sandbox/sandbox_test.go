package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/worker"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == sandbox.ChildArgument {
		os.Exit(sandbox.Child())
	}
	if probing != nil && len(os.Args) == 2 && os.Args[1] == "probe-the-sandbox" {
		os.Exit(probing())
	}
	os.Exit(m.Run())
}

// probing is the program of a child that tries to get out, where the system has layers; nil: it has none.
var probing func() int

var (
	tenant   = worker.Tenant{Organization: laurel.ID{1}, Website: laurel.ID{1}}
	sibling  = worker.Tenant{Organization: laurel.ID{1}, Website: laurel.ID{2}}
	stranger = worker.Tenant{Organization: laurel.ID{3}, Website: laurel.ID{4}}
)

func open(t testing.TB, o sandbox.Options) *sandbox.Sandbox {
	t.Helper()
	s := sandbox.New(o)
	t.Cleanup(s.Close)
	return s
}

// handler returns the code of a handler with a body.
func handler(body string) string {
	return "module.exports.handler = async (input, output) => {\n" + body + "\nreturn output.buildOutput();\n};"
}

func runState(t testing.TB, s *sandbox.Sandbox, code, input string) sandbox.Result {
	t.Helper()
	r, err := s.Run(context.Background(), sandbox.Call{Tenant: tenant, Code: code, Input: json.RawMessage(input)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAHandlerGetsItsInputAndSetsItsResult(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{})
	for name, c := range map[string]struct{ body, input, want string }{
		"input":    {`output.setResult({a: input.a * 2, s: input.s})`, `{"a":21,"s":"ü"}`, `{"a":42,"s":"ü"}`},
		"await":    {`const f = async (n) => n ? 1 + await f(n - 1) : 0; output.setResult(await f(50))`, `{}`, `50`},
		"nothing":  {``, `{}`, ``},
		"none":     {`output.setResult(undefined)`, `{}`, `null`},
		"sha256":   {`output.setResult(crypto.sha256("abc"))`, `{}`, `"0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"`},
		"hex":      {`output.setResult(crypto.sha256("0x616263") === crypto.sha256("abc"))`, `{}`, `true`},
		"bytes":    {`output.setResult(crypto.sha256(new TextEncoder().encode("abc")) === crypto.sha256("abc"))`, `{}`, `true`},
		"keccak":   {`output.setResult(crypto.keccak256(""))`, `{}`, `"0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"`},
		"hmac":     {`output.setResult(crypto.hmacSha256("key", "The quick brown fox jumps over the lazy dog"))`, `{}`, `"0xf7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"`},
		"utf8":     {`output.setResult(Array.from(new TextEncoder().encode("é€😀\ud800")))`, `{}`, `[195,169,226,130,172,240,159,152,128,239,191,189]`},
		"url":      {`const u = new URL("../b?x=1&y=a%20b#h", "https://user@Example.com:443/a/c/"); u.searchParams.set("x", "2 3"); output.setResult([u.href, u.host, u.searchParams.get("y")])`, `{}`, `["https://user@example.com/a/b?x=2+3&y=a+b#h","example.com","a b"]`},
		"no world": {`output.setResult([typeof require, typeof process, typeof setTimeout, typeof __laurel_end, typeof std, typeof os])`, `{}`, `["undefined","undefined","undefined","undefined","undefined","undefined"]`},
		"abi": {
			`output.setResult(abi.decode(["uint256", "address", "string", "(bool,int8)[]", "bytes2"], "0x" +
			"0000000000000000000000000000000000000000000000000de0b6b3a7640000" +
			"00000000000000000000000000000000000000000000000000000000000a11ce" +
			"00000000000000000000000000000000000000000000000000000000000000a0" +
			"00000000000000000000000000000000000000000000000000000000000000e0" +
			"abcd000000000000000000000000000000000000000000000000000000000000" +
			"0000000000000000000000000000000000000000000000000000000000000002" +
			"6869000000000000000000000000000000000000000000000000000000000000" +
			"0000000000000000000000000000000000000000000000000000000000000001" +
			"0000000000000000000000000000000000000000000000000000000000000001" +
			"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"))`, `{}`,
			`["1000000000000000000","0x00000000000000000000000000000000000a11ce","hi",[[true,"-1"]],"0xabcd"]`,
		},
	} {
		if r := runState(t, s, handler(c.body), c.input); r.Failed() || string(r.Output) != c.want {
			t.Errorf("%s: %s %q, want %s", name, r.Output, r.Error, c.want)
		}
	}
}

func TestEveryRunHasAWorldOfItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{Children: 2})
	code := handler(`globalThis.n = (globalThis.n || 0) + 1; Object.prototype.x = 1; output.setResult(globalThis.n)`)
	for range 3 {
		if r := runState(t, s, code, `{}`); string(r.Output) != "1" {
			t.Fatalf("%s %s", r.Output, r.Error)
		}
	}
}

// bombs are attacks of a function, and a part of the message that ends its run.
var bombs = map[string]struct{ code, want string }{
	"a loop":             {handler(`for (;;) {}`), "CPU time"},
	"a loop at the top":  {"for (;;) {}\n" + handler(``), "CPU time"},
	"a loop that heals":  {handler(`for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }`), "CPU time"},
	"a loop of promises": {handler(`const f = () => Promise.resolve().then(f); await f()`), ""},
	"a jungle":           {handler(`/^(a+)+$/.test("a".repeat(40) + "b")`), "CPU time"},
	"recursion":          {handler(`const f = () => 1 + f(); f()`), "stack"},
	"deep json":          {handler(`let a = []; for (let i = 0; i < 1e6; i++) a = [a]; output.setResult(a)`), ""},
	"deep parse":         {handler(`JSON.parse("[".repeat(5e6))`), ""},
	"parentheses":        {handler(`return ` + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000)), ""},
	"arrays":             {handler(`const a = []; for (;;) a.push(new Array(1000).fill(a.length))`), ""}, // of memory or of CPU time
	"buffers":            {handler(`const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))`), "memory"},
	"one buffer":         {handler(`new Uint8Array(2 ** 31).fill(1)`), ""},
	"text":               {handler(`let s = "x"; for (;;) s += s`), ""},
	"a promise":          {handler(`await new Promise(() => {})`), "never comes"},
	"a large result":     {handler(`output.setResult("x".repeat(300000))`), "at most 262144 bytes"},
	"two results":        {handler(`output.setResult(1); try { output.setResult(2) } catch {}`), "once"},
	"no error":           {handler(`throw 42`), "threw 42"},
	"nothing":            {handler(`throw undefined`), "threw undefined"},
	"a proxy":            {handler(`throw new Proxy({}, {get() { throw 1 }, getPrototypeOf() { throw 2 }})`), "cannot be shown"},
	"an error":           {handler(`throw new TypeError("no")`), "TypeError: no"},
	"a syntax error":     {"module.exports.handler = (", "SyntaxError"},
	"no handler":         {"module.exports = {}", "must be a function"},
	"garbage":            {"module.exports.handler = async (input, output) => 42", "buildOutput"},
	"another output":     {handler(`output.buildOutput = () => 1; Object.freeze = () => 1; return {}`), ""},
	"prototypes": {handler(`Promise.prototype.then = () => { throw 1 }; JSON.stringify = () => 1;
		Object.prototype.toJSON = () => { throw new Error("gotcha") }; output.setResult({})`), ""},
	"a thenable":        {handler(`return { then() { for (;;) {} } }`), "CPU time"},
	"bigint":            {handler(`output.setResult(1n)`), "BigInt"},
	"a cycle":           {handler(`const a = {}; a.a = a; output.setResult(a)`), "circular"},
	"import":            {handler(`await import("std")`), ""},
	"transactions":      {handler(`output.addTransaction({to: "0x1", chainId: 1})`), "Error: Transactions are not configured"},
	"too many fetches":  {handler(`await Promise.allSettled(Array(21).fill(0).map(() => fetch("https://127.0.0.1")))`), "20 times"},
	"a private address": {handler(`await fetch("https://127.0.0.1/")`), "private address"},
	"http":              {handler(`await fetch("http://example.com/")`), "must use https"},
	"a header":          {handler(`await fetch("https://example.com/", {headers: {Host: "a"}})`), "may not be sent"},
}

func TestABombEndsItsOwnRunAndNothingElse(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{
		Children: 2, Client: outbound.New(outbound.Options{}), WaitTimeout: time.Minute, CPULimit: time.Second,
	})
	for name, c := range bombs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runState(t, s, c.code, `{}`)
			if !r.Failed() || !strings.Contains(r.Error, c.want) || r.Took > 15*time.Second {
				t.Errorf("%q after %s, want %q", r.Error, r.Took, c.want)
			}
			if next := runState(t, s, handler(`output.setResult("well")`), `{}`); string(next.Output) != `"well"` {
				t.Errorf("the next run: %s %s", next.Output, next.Error)
			}
		})
	}
}

func TestLogsAreCut(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{})
	r := runState(t, s, handler(`console.log("a", {b: 1}, [2], null, undefined, new Error("e").message); console.error(3); output.setResult(1)`), `{}`)
	if strings.Join(r.Logs, "|") != `a {"b":1} [2] null undefined e|3` {
		t.Errorf("%q", r.Logs)
	}
	for _, body := range []string{
		`const s = "x".repeat(1 << 20); for (let i = 0; i < 1024; i++) console.log(s)`,
		`for (let i = 0; i < 1e5; i++) console.log("")`,
		`for (let i = 0; i < 1e5; i++) console.log("ä€")`,
	} {
		r := runState(t, s, handler(body+"; output.setResult(1)"), `{}`)
		size := 0
		for _, line := range r.Logs {
			size += len(line)
		}
		if r.Failed() || size > sandbox.MaxLogs+100 || !strings.Contains(r.Logs[len(r.Logs)-1], "cut") {
			t.Errorf("%s: %d bytes in %d lines: %s", body, size, len(r.Logs), r.Error)
		}
	}
}

func TestFailEndsARunForGood(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{})
	if r := runState(t, s, handler(`output.fail("sold out")`), `{}`); r.Error != "sold out" || !r.Final {
		t.Errorf("%+v", r)
	}
	if r := runState(t, s, handler(`throw new Error("x")`), `{}`); r.Final {
		t.Errorf("%+v", r)
	}
}

func TestFetchGoesThroughTheGuard(t *testing.T) {
	t.Parallel()
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/500":
			w.Header().Set("X-Reason", "tired")
			http.Error(w, `{"no":true}`, 500)
		case "/away":
			http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
		case "/large":
			_, _ = w.Write(make([]byte, 2<<20))
		default:
			body := make([]byte, r.ContentLength)
			_, _ = r.Body.Read(body)
			_, _ = fmt.Fprintf(w, `{"method":%q,"body":%q,"header":%q}`, r.Method, body, r.Header.Get("X-A"))
		}
	}))
	t.Cleanup(target.Close)
	s := open(t, sandbox.Options{Client: outbound.New(outbound.Options{Dev: true})})
	in := `{"url":"` + target.URL + `"}`
	for body, want := range map[string]string{
		`const r = await fetch(input.url, {method: "post", headers: {"X-A": 1}, body: "hi"}); output.setResult([r.ok, await r.json()])`: `[true,{"method":"POST","body":"hi","header":"1"}]`,
		`const r = await fetch(input.url + "/500"); output.setResult([r.status, r.ok, (await r.json()).no, r.headers.get("X-Reason")])`: `[500,false,true,"tired"]`,
		`const r = await fetch(input.url + "/away"); output.setResult([r.status, r.ok])`:                                                `[302,false]`,
		`try { await fetch(input.url + "/large") } catch (e) { output.setResult(e.message) }`:                                           `"fetch failed: the answer is larger than 1048576 bytes"`,
		`const a = await Promise.all([1, 2, 3].map(() => fetch(input.url))); output.setResult(a.map((r) => r.status))`:                  `[200,200,200]`,
		`try { await fetch("http://10.0.0.1") } catch (e) { output.setResult(e.message) }`:                                              `"fetch failed: url must not point to a private address"`,
	} {
		if r := runState(t, s, handler(body), in); r.Failed() || string(r.Output) != want {
			t.Errorf("%s: %s %q", body, r.Output, r.Error)
		}
	}
}

func TestAWallEndsWhatOnlyWaits(t *testing.T) {
	t.Parallel()
	stay := make(chan struct{})
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stay }))
	t.Cleanup(target.Close)
	t.Cleanup(func() { close(stay) })
	s := open(t, sandbox.Options{
		Client: outbound.New(outbound.Options{Dev: true}), WallLimit: 300 * time.Millisecond, Children: 2,
	})
	r := runState(t, s, handler(`await fetch("`+target.URL+`")`), `{}`)
	if r.Error != "the function ran longer than 300ms" || r.Took > 5*time.Second {
		t.Errorf("%q after %s", r.Error, r.Took)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.Run(ctx, sandbox.Call{Tenant: tenant, Code: handler(`for (;;) {}`)}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if r := runState(t, s, handler(`output.setResult(1)`), `{}`); string(r.Output) != "1" {
		t.Errorf("%+v", r)
	}
}

// TestNoOrganizationTakesEveryChild has two websites of an organization run more than there are children, without an
// end of their own: another organization runs beside them. The runs end when the test has seen that.
func TestNoOrganizationTakesEveryChild(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{Children: 2, MaxWaiting: 4, WaitTimeout: time.Minute, CPULimit: time.Minute})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var running sync.WaitGroup
	full := make(chan error, 8)
	for i := range 8 {
		running.Go(func() {
			of := []worker.Tenant{tenant, sibling}[i%2]
			_, err := s.Run(ctx, sandbox.Call{Tenant: of, Code: handler(`for (;;) {}`)})
			if errors.Is(err, sandbox.ErrBusy) {
				full <- err
			}
		})
	}
	for range 5 { // one runs and two wait: the organization has no more of either
		if err := <-full; !errors.Is(err, sandbox.ErrBusy) {
			t.Fatal(err)
		}
	}
	for range 3 {
		r, err := s.Run(ctx, sandbox.Call{Tenant: stranger, Code: handler(`output.setResult(1)`)})
		if err != nil || string(r.Output) != "1" {
			t.Errorf("another organization: %+v %v", r, err)
		}
	}
	stop()
	running.Wait()
}

func TestCodeIsChecked(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{})
	for code, want := range map[string]string{
		handler(`output.setResult(1)`): "",
		"const go = (o) => { o.fail('x'); return o.buildOutput() };\nmodule.exports.handler = (i, o) => go(o);": "",
		handler(``):                    "it must call output.setResult or output.fail",
		handler(`// output.setResult`): "it must call output.setResult or output.fail",
		"module.exports.handler = (input, output) => output.setResult(1)":                                           "it must return output.buildOutput()",
		"module.exports.handler = (input) => { output.setResult(1); return output.buildOutput() }":                  "the handler must have two parameters, input and output",
		"module.exports = {handler: (i, o) => { o.setResult(1); return o.buildOutput() }, other: 1}":                "module.exports must have exactly one handler and nothing else",
		"exports.handle = (i, o) => { o.setResult(1); return o.buildOutput() }":                                     "module.exports.handler must be a function",
		"module.exports.handler = (i, o) => { o.setResult(1); return o.buildOutput() ":                              "SyntaxError",
		"for (;;) {} module.exports.handler = (i, o) => { o.setResult(1); return o.buildOutput() }":                 "the function ran longer",
		"fetch('https://a.example'); module.exports.handler = (i, o) => { o.setResult(1); return o.buildOutput() }": "module",
		"import x from 'y'; module.exports.handler = (i, o) => { o.setResult(1); return o.buildOutput() }":          "SyntaxError",
		"": "there is none",
		handler(`output.setResult(1)`) + strings.Repeat("\n", sandbox.MaxCode): "it must be at most 262144 bytes",
	} {
		got, err := s.Check(context.Background(), tenant, code)
		if strings.Contains(got, "CPU time") { // a busy machine may give it less of that than it waits
			got = "the function ran longer"
		}
		if err != nil || want == "" && got != "" || want != "" && want != "module" && !strings.Contains(got, want) {
			t.Errorf("%.120s: %q %v, want %q", code, got, err, want)
		}
	}
}

func TestABIRefusesWhatItCannotDecode(t *testing.T) {
	t.Parallel()
	s := open(t, sandbox.Options{})
	word := func(hex string) string { return strings.Repeat("0", 64-len(hex)) + hex }
	for _, c := range []struct{ types, data, want string }{
		{`["uint8"]`, word("0100"), "no value"},
		{`["uint256"]`, "00", "too short"},
		{`["uint7"]`, word("1"), "not known"},
		{`["uint256[]"]`, word("20") + word("ffffffff"), "too short"},
		{`["string"]`, word("ffffffffffffffffffffffff"), "too short"},
		{`["(((((((((((((((((((uint8)))))))))))))))))))"]`, word("1"), "not known"},
		{`["` + "uint8" + strings.Repeat("[2]", 12) + `"]`, word("1"), ""},
		{`["uint256[][][][]"]`, word("20") + strings.Repeat(word("20"), 40), ""},
		{`["bool"]`, word("2"), "no value"},
		{`["address"]`, strings.Repeat("f", 64), "no value"},
		{`"uint8"`, word("1"), "array"},
		{`["uint8"]`, "zz", "hex"},
	} {
		r := runState(t, s, handler(`output.setResult(abi.decode(input.types, input.data))`), `{"types":`+c.types+`,"data":"0x`+c.data+`"}`)
		if !r.Failed() || !strings.Contains(r.Error, c.want) {
			t.Errorf("%s: %s %q", c.types, r.Output, r.Error)
		}
	}
}

func BenchmarkAWarmRun(b *testing.B) {
	s := open(b, sandbox.Options{})
	code := handler(`output.setResult(input)`)
	runState(b, s, code, `{"a":1}`)
	b.ResetTimer()
	for b.Loop() {
		if r := runState(b, s, code, `{"a":1}`); r.Failed() {
			b.Fatal(r.Error)
		}
	}
}
