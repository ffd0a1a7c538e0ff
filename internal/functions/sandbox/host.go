package sandbox

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"crypto/hmac"
	"crypto/sha256"

	"golang.org/x/crypto/sha3"

	"modernc.org/quickjs"
)

// hostFunctions returns the Go functions that prelude.js calls, by name. Handlers cannot reach them.
func (m *machine) hostFunctions() map[string]quickjs.HostFunc {
	return map[string]quickjs.HostFunc{
		"log":         func(args []any) (any, error) { return m.run.appendLog(textAt(args, 0)), nil },
		"fetch":       func(args []any) (any, error) { return m.fetch(textAt(args, 0)) },
		"digest":      func(args []any) (any, error) { return digest(textAt(args, 0), textAt(args, 1), textAt(args, 2)) },
		"abi":         func(args []any) (any, error) { return decodeABI(textAt(args, 0), textAt(args, 1)) },
		"url":         func(args []any) (any, error) { return parseURL(textAt(args, 0), textAt(args, 1), textAt(args, 2)) },
		"result":      func(args []any) (any, error) { return nil, m.run.setOutput(textAt(args, 0)) },
		"fail":        func(args []any) (any, error) { m.run.fail(textAt(args, 0)); return nil, nil },
		"transaction": func(args []any) (any, error) { return m.run.addTransaction(textAt(args, 0)) },
		"end":         func(args []any) (any, error) { m.run.finish(textAt(args, 0)); return nil, nil },
	}
}

// textAt returns the i-th argument as text, or "" if it is absent or no text.
func textAt(args []any, i int) string {
	if i >= len(args) {
		return ""
	}
	text, _ := args[i].(string)
	return text
}

const logCutMark = "… the rest of the logs is cut: 64 KiB are kept"

// appendLog appends a line to the logs and reports whether more lines fit. Once the logs would have more than MaxLogs
// bytes, it cuts the line, appends logCutMark as the last line, and returns false from then on.
func (r *runState) appendLog(line string) bool {
	if r.logBytes > MaxLogs {
		return false
	}
	if room := max(0, MaxLogs-r.logBytes-1); len(line)+1 > MaxLogs-r.logBytes {
		for room > 0 && !utf8.RuneStart(line[room]) { // do not cut a character in half
			room--
		}
		if room > 0 {
			r.logs = append(r.logs, line[:room])
		}
		r.logs, r.logBytes = append(r.logs, logCutMark), MaxLogs+1
		return false
	}
	r.logs = append(r.logs, line)
	r.logBytes += len(line) + 1 // empty lines take room, too
	return true
}

// fetch asks the server process to make an HTTP call for the handler, and returns the number of the fetch. It does not
// wait: the server sends the response in a later message under this number, which evaluate passes to the handler.
func (m *machine) fetch(call string) (any, error) {
	r := m.run
	switch {
	case r.request.Type != typeRun:
		return nil, errors.New("fetch may be called by the handler only")
	case r.fetches >= MaxFetches:
		r.setProblem(fmt.Sprintf("a run may call fetch %d times at most", MaxFetches))
		return nil, errors.New(r.problem)
	case len(call) > 2*maxFetchBody: // escapes make the JSON longer than the body; the server checks the exact limit
		return nil, fmt.Errorf("body must be at most %d bytes", maxFetchBody)
	}
	r.fetches++
	r.pendingFetches++
	return r.fetches, m.send(reply{Type: typeFetch, Fetch: r.fetches, Call: json.RawMessage(call)})
}

// setOutput stores the output of the run, given as JSON. A second output, or one that is not valid, makes the run fail.
func (r *runState) setOutput(text string) error {
	switch {
	case r.hasOutput:
		r.setProblem("setResult may be called once")
	case len(text) > MaxOutput:
		r.setProblem(fmt.Sprintf("the result must be at most %d bytes as JSON", MaxOutput))
	case !json.Valid([]byte(text)):
		r.setProblem("the result is not JSON")
	default:
		r.hasOutput, r.output = true, text
		return nil
	}
	return errors.New(r.problem)
}

// fail makes the run fail with a message; later attempts would not help.
func (r *runState) fail(message string) {
	if strings.TrimSpace(message) == "" {
		message = "failed"
	}
	r.setProblem(message)
	r.final = true
}

const msgNotPayable = "Transactions are not configured"

// addTransaction adds a transaction for the payout driver, given as JSON. thrown is the text of an error that the
// handler may catch, "" for none. Any other problem makes the run fail, and is the error.
func (r *runState) addTransaction(text string) (thrown string, err error) {
	var problem string
	var t Transaction
	switch {
	case !r.request.Payable:
		return msgNotPayable, nil
	case len(r.transactions) >= MaxTransactions:
		problem = fmt.Sprintf("a run may add %d transactions at most", MaxTransactions)
	default:
		problem = parseTransaction(text, &t)
	}
	if r.transactionBytes += len(text); problem == "" && r.transactionBytes > MaxOutput {
		problem = fmt.Sprintf("the transactions must be at most %d bytes as JSON", MaxOutput)
	}
	if problem != "" {
		r.setProblem(problem)
		return "", errors.New(problem)
	}
	r.transactions = append(r.transactions, t)
	return "", nil
}

// parseTransaction parses a transaction into t, and returns what is wrong with it, or "".
func parseTransaction(text string, t *Transaction) string {
	var raw struct {
		To      string          `json:"to"`
		Data    string          `json:"data"`
		Value   json.RawMessage `json:"value"`
		ChainID json.RawMessage `json:"chainId"`
	}
	if json.Unmarshal([]byte(text), &raw) != nil {
		return "a transaction must be an object {to, data, value, chainId}"
	}
	value := strings.Trim(string(raw.Value), `"`)
	chain := strings.Trim(string(raw.ChainID), `"`)
	switch {
	case raw.To == "" || len(raw.To) > 128:
		return "a transaction needs to, an address of 1 to 128 characters"
	case raw.Data != "" && !isHex(raw.Data):
		return "data of a transaction must be 0x hex"
	case value != "" && value != "null" && !isWhole(value):
		return "value of a transaction must be a whole number"
	case chain == "" || !isWhole(chain):
		return "chainId of a transaction must be a whole number"
	}
	if value == "null" {
		value = ""
	}
	// The chain id gets no leading zeros, which JSON does not allow, but its last digit stays, for 0.
	*t = Transaction{To: raw.To, Data: raw.Data, Value: value, ChainID: json.RawMessage(strings.TrimLeft(chain[:len(chain)-1], "0") + chain[len(chain)-1:])}
	return ""
}

func isWhole(s string) bool { return s != "" && len(s) <= 78 && strings.Trim(s, "0123456789") == "" }

func isHex(s string) bool {
	_, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	return err == nil && strings.HasPrefix(s, "0x")
}

// decodeBytes returns the bytes of a text: decoded if it is 0x hex, else as UTF-8.
func decodeBytes(s string) []byte {
	if isHex(s) {
		b, _ := hex.DecodeString(s[2:])
		return b
	}
	return []byte(s)
}

// digest hashes data, and returns the hash as 0x hex. name is sha256 or hmacSha256, which needs the key; any other name
// stands for Keccak-256.
func digest(name, data, key string) (any, error) {
	var sum []byte
	switch name {
	case "sha256":
		s := sha256.Sum256(decodeBytes(data))
		sum = s[:]
	case "hmacSha256":
		h := hmac.New(sha256.New, decodeBytes(key))
		h.Write(decodeBytes(data))
		sum = h.Sum(nil)
	default:
		h := sha3.NewLegacyKeccak256()
		h.Write(decodeBytes(data))
		sum = h.Sum(nil)
	}
	return "0x" + hex.EncodeToString(sum), nil
}

// urlParts are the parts of a URL as the JavaScript class URL has them.
type urlParts struct {
	Protocol string `json:"protocol"`
	Username string `json:"username"`
	Password string `json:"password"`
	Hostname string `json:"hostname"`
	Port     string `json:"port"`
	Pathname string `json:"pathname"`
	Search   string `json:"search"`
	Hash     string `json:"hash"`
}

var errURL = errors.New("the url is not valid")

// parseURL returns the parts of a URL, which may be relative to base, as JSON (urlParts). If kind is "query", it
// returns the pairs of the query string in text instead.
func parseURL(kind, text, base string) (any, error) {
	if kind == "query" {
		return parseQuery(text)
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err == nil && base != "" {
		var from *url.URL
		if from, err = url.Parse(strings.TrimSpace(base)); err == nil {
			u = from.ResolveReference(u)
		}
	}
	if err != nil || u.Scheme == "" || u.Opaque != "" || u.Hostname() == "" {
		return nil, errURL
	}
	p := urlParts{
		Protocol: strings.ToLower(u.Scheme) + ":", Hostname: strings.ToLower(u.Hostname()), Port: u.Port(),
		Pathname: u.EscapedPath(), Username: u.User.Username(),
	}
	if strings.Contains(p.Hostname, ":") {
		p.Hostname = "[" + p.Hostname + "]"
	}
	p.Password, _ = u.User.Password()
	if p.Protocol == "https:" && p.Port == "443" || p.Protocol == "http:" && p.Port == "80" {
		p.Port = ""
	}
	if p.Pathname == "" {
		p.Pathname = "/"
	}
	if u.RawQuery != "" {
		p.Search = "?" + u.RawQuery
	}
	if u.Fragment != "" {
		p.Hash = "#" + u.EscapedFragment()
	}
	out, err := json.Marshal(p)
	return string(out), err
}

// parseQuery returns the pairs of a query string, encoded as HTML forms do, as a JSON array of [name, value].
func parseQuery(text string) (string, error) {
	list := [][2]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "?"), "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		list = append(list, [2]string{unescapeQuery(name), unescapeQuery(value)})
	}
	out, err := json.Marshal(list)
	return string(out), err
}

func unescapeQuery(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return strings.ToValidUTF8(plain, "\uFFFD")
	}
	return s
}
