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

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/tenancy"
)

// idempotencyHeader names the request header of contract 1.8.1; it counts on every POST.
const idempotencyHeader = "Idempotency-Key"

// errUnfinished is what Finish learns of a handler that panicked.
var errUnfinished = errors.New("rest: the request did not end")

// once runs the request, or returns what it answered before (contract 1.8.1).
func (a *API) once(w http.ResponseWriter, r *http.Request, rt *Operation, run http.HandlerFunc) {
	keys, sent := r.Header[idempotencyHeader]
	if !sent || r.Method != http.MethodPost {
		run(w, r)
		return
	}
	ctx, req := r.Context(), requestOf(r.Context())
	member, err := a.keysOf(ctx)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	hash := sha256.Sum256([]byte(r.URL.RawQuery + "\n" + string(req.sent)))
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
	kept := &recorder{header: http.Header{}, status: http.StatusOK}
	req.scope.Request = begun.Key()
	if replay, err = a.record(kept, r, rt, begun, run); err != nil {
		a.fail(w, r, err)
		return
	}
	if replay != nil {
		writeReplay(w, replay)
		return
	}
	maps.Copy(w.Header(), kept.header)
	w.WriteHeader(kept.status)
	_, _ = w.Write(kept.body.Bytes())
}

// keysOf names whose Idempotency-Keys the request may use. Those of a client key are the member's who shows a
// token: nobody else gets the answers, and nobody else can take a key that is easily guessed. Where the website waives
// the token (contract 1.2) and none is shown, they belong to whom the body names. Errors: Forbidden.
func (a *API) keysOf(ctx context.Context) (string, error) {
	req := requestOf(ctx)
	if req.scope.Role != laurel.RoleClient {
		return "", nil
	}
	member, err := MemberOf(ctx)
	if err == nil {
		return member.String(), nil
	}
	if named := namedIn(req.body); req.trusting && named != "" && laurel.CodeOf(err) == laurel.Forbidden {
		hash := sha256.Sum256([]byte(named))
		return hex.EncodeToString(hash[:]), nil
	}
	return "", err
}

// namedIn returns the users that a body names in one form; empty where it names none. The body is not judged yet: one
// that is refused afterwards leaves its key free.
func namedIn(body []byte) string {
	var id, wallet, ids string
	for m := range members(bytes.TrimSpace(body)) {
		text, _ := plain(m.value).(string)
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

// record runs the request into the recorder and keeps its answer. A panic leaves the key as it is and goes on.
func (a *API) record(
	kept *recorder,
	r *http.Request,
	rt *Operation,
	begun *tenancy.Request,
	run http.HandlerFunc,
) (replay *tenancy.Replay, err error) {
	finished := false
	defer func() {
		cause := requestOf(r.Context()).err
		if !finished {
			cause = errUnfinished
		}
		replay, err = begun.Finish(r.Context(), kept.status, withoutSecrets(kept.body.Bytes(), rt.secrets), cause)
	}()
	run(kept, r)
	finished = true
	return nil, nil
}

func writeReplay(w http.ResponseWriter, replay *tenancy.Replay) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Idempotent-Replayed", "true")
	w.WriteHeader(replay.Status)
	_, _ = w.Write([]byte(replay.Body))
}

// withoutSecrets returns the body without what stands at the paths, which lead through every item of a list. What is
// null stays: it tells no secret.
func withoutSecrets(body []byte, paths []string) string {
	for _, path := range paths {
		stripped, err := without(body, strings.Split(path, "."))
		if err != nil {
			return "{}" // nothing of it can be told from a secret
		}
		body = stripped
	}
	return string(body)
}

// without leaves a value as it is spelt where nothing stands at the path.
func without(value json.RawMessage, path []string) (json.RawMessage, error) {
	if bytes.HasPrefix(value, []byte("[")) {
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return nil, err
		}
		changed := false
		for i, item := range items {
			stripped, err := without(item, path)
			if err != nil {
				return nil, err
			}
			changed = changed || !bytes.Equal(stripped, item)
			items[i] = stripped
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
		stripped, err := without(inner, path[1:])
		if err != nil || bytes.Equal(stripped, inner) {
			return value, err
		}
		fields[path[0]] = stripped
	}
	return json.Marshal(fields)
}

// recorder holds an answer back until it is known whether it is the one to give.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *recorder) Header() http.Header         { return k.header }
func (k *recorder) WriteHeader(status int)      { k.status = status }
func (k *recorder) Write(b []byte) (int, error) { return k.body.Write(b) }
