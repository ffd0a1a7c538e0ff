package web

import (
	"errors"
	"net/http"
	"strings"

	"laurel.example/laurel"
)

// Refusal says why a form was refused. The data of pages with forms embed it.
type Refusal struct {
	Faults map[string]string // by field
	Error  string            // of faults without a field
}

// ShowRefused shows a form again with status 400, if err says that its input was invalid or refused. data returns the
// page's data with the refusal. Any other error is returned.
func (c *Call) ShowRefused(err error, page, title string, data func(Refusal) any) (View, error) {
	if c.isLastRun && errors.Is(err, laurel.ErrChanged) {
		err = errOutrun
	}
	refused := AsRefusal(err)
	if refused == nil {
		return View{}, err
	}
	return Refused(page, title, data(Refusal{FaultTexts(refused), Sentence(refused.Message)})), nil
}

// Refused returns the view of a page that says why a form was refused, with status 400.
func Refused(page, title string, data any) View {
	return View{Template: page, Title: "Error: " + title, Status: http.StatusBadRequest, Data: data}
}

// StatusUnknown is the status of a page that cannot say whether a change was made.
const StatusUnknown = http.StatusServiceUnavailable

// HasCode reports whether an error is one with the code.
func HasCode(err error, code laurel.Code) bool {
	return err != nil && laurel.CodeOf(err) == code
}

// FaultTexts returns the first fault of each field as a sentence.
func FaultTexts(refused *laurel.Error) map[string]string {
	out := map[string]string{}
	for _, fault := range refused.Faults {
		if _, isNoted := out[fault.Path]; !isNoted {
			out[fault.Path] = Sentence(strings.TrimPrefix(fault.Message, fault.Path+" "))
		}
	}
	return out
}

// AsRefusal returns the error if it says that an input was invalid or refused; nil if it is another error, or
// ErrChanged, after which the handler runs again.
func AsRefusal(err error) *laurel.Error {
	var refused *laurel.Error
	if errors.As(err, &refused) && (refused.Code == laurel.Invalid || refused.Code == laurel.Refused) &&
		refused != laurel.ErrChanged {
		return refused
	}
	return nil
}
