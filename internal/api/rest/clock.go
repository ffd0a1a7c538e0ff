package rest

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	"laurel.example/laurel"
)

// maxClockBody bounds the body of a call that sets the clock, in bytes.
const maxClockBody = 1024

// setClock sets the clock of a database for tests (contract 1.11) and returns the time that it shows.
func (a *API) setClock(w http.ResponseWriter, r *http.Request) {
	var in struct {
		At *laurel.Timestamp `json:"at"`
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxClockBody))
	if err != nil || json.Unmarshal(body, &in) != nil || in.At == nil {
		var f laurel.Faults
		f.Add("at", "must be a date and time such as 2027-01-31T12:00:00Z")
		a.fail(w, r, f.Err())
		return
	}
	now, err := a.cfg.SetClock(r.Context(), in.At.Time)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, struct {
		Now time.Time `json:"now"`
	}{now})
}
