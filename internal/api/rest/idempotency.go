package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/tenancy"
)

// idempotencyHeader is the request header of contract 1.8.1. It applies to every POST.
const idempotencyHeader = "Idempotency-Key"

// errUnfinished is the cause that Finish gets if a handler panicked.
var errUnfinished = errors.New("rest: the request did not end")

// serveIdempotently runs a request, or writes the stored response of an earlier request with the same Idempotency-Key
// (contract 1.8.1). Requests without that header, and those that are no POST, just run.
func (a *API) serveIdempotently(w http.ResponseWriter, r *http.Request, route *Operation, run http.HandlerFunc) {
	keys, sent := r.Header[idempotencyHeader]
	if !sent || r.Method != http.MethodPost {
		run(w, r)
		return
	}
	ctx, req := r.Context(), requestOf(r.Context())
	member, err := a.idempotencyOwner(ctx)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	hash := sha256.Sum256([]byte(r.URL.RawQuery + "\n" + string(req.rawBody)))
	begun, replay, err := a.cfg.Tenancy.BeginRequest(ctx, tenancy.RequestInput{
		KeyID:  req.scope.KeyID,
		Member: member,
		Key:    keys[0],
		Path:   r.Method + " " + r.URL.Path,
		Hash:   hex.EncodeToString(hash[:]),
	})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if replay != nil {
		writeReplay(w, replay)
		return
	}
	rec := &recorder{header: http.Header{}, status: http.StatusOK}
	req.scope.Request = begun.Key()
	if replay, err = a.recordResponse(rec, r, route, begun, run); err != nil {
		a.fail(w, r, err)
		return
	}
	if replay != nil { // another response was stored under the key meanwhile
		writeReplay(w, replay)
		return
	}
	maps.Copy(w.Header(), rec.header)
	w.WriteHeader(rec.status)
	_, _ = w.Write(rec.body.Bytes())
}

// idempotencyOwner returns the member whose Idempotency-Keys the request uses; "" for the API key itself. With a client
// key it is the member of the token: no other member can read the responses or take a key that is easily guessed. If
// the website trusts client keys (contract 1.2) and there is no token, it is the user that the body names. Errors:
// Forbidden.
func (a *API) idempotencyOwner(ctx context.Context) (string, error) {
	req := requestOf(ctx)
	if req.scope.Role != laurel.RoleClient {
		return "", nil
	}
	member, err := MemberOf(ctx)
	if err == nil {
		return member.String(), nil
	}
	if user := userInBody(req.body); req.trustsClientUsers && user != "" && laurel.CodeOf(err) == laurel.Forbidden {
		hash := sha256.Sum256([]byte(user))
		return hex.EncodeToString(hash[:]), nil
	}
	return "", err
}

// userInBody returns a text for the user or users that a body names, which is the same however an id or address is
// spelled; "" if it names none. userId counts before walletAddress, and that before userIds. The body is not checked
// yet: if it is refused later, its Idempotency-Key stays free.
func userInBody(body []byte) string {
	var id, wallet, ids string
	for m := range members(bytes.TrimSpace(body)) {
		text, _ := decodeShallow(m.value).(string)
		switch string(m.name) {
		case "userId":
			id = strings.ToLower(text)
		case "walletAddress":
			wallet = identity.NormalizeWallet(text)
		case "userIds":
			ids = strings.ToLower(string(m.value))
		}
	}
	switch {
	case id != "":
		return "userId " + id
	case wallet != "":
		return "walletAddress " + wallet
	}
	return ids
}

// recordResponse runs the request into rec and stores its response under the Idempotency-Key. It returns a replay if
// the key got another response meanwhile, which is to be sent instead. After a panic the key stays as it is, and the
// panic goes on.
func (a *API) recordResponse(
	rec *recorder,
	r *http.Request,
	route *Operation,
	begun *tenancy.Request,
	run http.HandlerFunc,
) (replay *tenancy.Replay, err error) {
	finished := false
	defer func() {
		cause := requestOf(r.Context()).err
		if !finished {
			cause = errUnfinished
		}
		replay, err = begun.Finish(r.Context(), rec.status, removeSecrets(rec.body.Bytes(), route.secrets), cause)
	}()
	run(rec, r)
	finished = true
	return nil, nil // the deferred function sets both
}

// writeReplay writes a stored response.
func writeReplay(w http.ResponseWriter, replay *tenancy.Replay) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Idempotent-Replayed", "true")
	w.WriteHeader(replay.Status)
	_, _ = w.Write([]byte(replay.Body))
}

// removeSecrets returns a JSON body without the values at the given paths, such as key.secret. A path leads through
// every item of a list. null stays, since it reveals nothing. A body that cannot be parsed becomes {}.
func removeSecrets(body []byte, paths []string) string {
	for _, path := range paths {
		stripped, err := removePath(body, strings.Split(path, "."))
		if err != nil {
			return "{}" // the secrets cannot be found, so nothing is stored
		}
		body = stripped
	}
	return string(body)
}

// removePath returns a JSON value without what is at a path. If there is nothing at the path, or null, the value is
// returned unchanged, byte for byte. The path applies to each item of an array.
func removePath(value json.RawMessage, path []string) (json.RawMessage, error) {
	if bytes.HasPrefix(value, []byte("[")) {
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return nil, err
		}
		changed := false
		for i, item := range items {
			without, err := removePath(item, path)
			if err != nil {
				return nil, err
			}
			changed = changed || !bytes.Equal(without, item)
			items[i] = without
		}
		if !changed {
			return value, nil
		}
		return json.Marshal(items)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(value, &fields); err != nil {
		return nil, err
	}
	inner := fields[path[0]]
	switch {
	case inner == nil || string(inner) == "null":
		return value, nil
	case len(path) == 1:
		delete(fields, path[0])
	default:
		without, err := removePath(inner, path[1:])
		if err != nil || bytes.Equal(without, inner) {
			return value, err
		}
		fields[path[0]] = without
	}
	return json.Marshal(fields)
}

// recorder holds a response back until it is known whether a stored one is sent instead.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *recorder) Header() http.Header         { return k.header }
func (k *recorder) WriteHeader(status int)      { k.status = status }
func (k *recorder) Write(b []byte) (int, error) { return k.body.Write(b) }
