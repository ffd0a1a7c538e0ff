package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"

	"laurel/internal/tenancy"
)

// idempotencyHeader names the request header of contract 1.8.1; it counts on every POST.
const idempotencyHeader = "Idempotency-Key"

// errUnfinished is what Finish learns of a handler that panicked.
var errUnfinished = errors.New("httpapi: the request did not end")

// once runs the request, or answers what it answered before (contract 1.8.1).
func (a *API) once(w http.ResponseWriter, r *http.Request, rt *route, run http.HandlerFunc) {
	keys, sent := r.Header[idempotencyHeader]
	if !sent || r.Method != http.MethodPost {
		run(w, r)
		return
	}
	ctx, req := r.Context(), requestOf(r.Context())
	hash := sha256.Sum256([]byte(r.URL.RawQuery + "\n" + string(req.sent)))
	begun, replay, err := a.cfg.Tenancy.BeginRequest(ctx, tenancy.RequestInput{
		KeyID: req.scope.KeyID, Key: keys[0], Path: r.Method + " " + r.URL.Path, Hash: hex.EncodeToString(hash[:]),
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
	if replay, err = a.record(kept, r.WithContext(begun.Context(ctx)), rt, begun, run); err != nil {
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

// record runs the request into the recorder and keeps its answer. A panic leaves the key as it is and goes on.
func (a *API) record(kept *recorder, r *http.Request, rt *route, begun *tenancy.Request, run http.HandlerFunc) (replay *tenancy.Replay, err error) {
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

// withoutSecrets answers the body without the named fields of its top level.
func withoutSecrets(body []byte, secrets []string) string {
	if len(secrets) == 0 {
		return string(body)
	}
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(body, &fields) != nil {
		return "{}" // no object: nothing of it can be told from a secret
	}
	for _, name := range secrets {
		delete(fields, name)
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return "{}"
	}
	return string(out)
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
