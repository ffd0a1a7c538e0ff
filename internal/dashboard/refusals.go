package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"laurel"
)

// showRefused shows a form again with status 400, if err says that its input was invalid or refused. data returns the
// page's data: it gets the faults by field, and the text of the refusal for faults without a field. Any other error is
// returned.
func (c *request) showRefused(
	err error,
	page, title string,
	data func(faults map[string]string, text string) any,
) (view, error) {
	var refused *laurel.Error
	if !errors.As(err, &refused) || refused.Code != laurel.Invalid && refused.Code != laurel.Refused {
		return view{}, err
	}
	return refusedView(page, title, data(faultTexts(refused), sentence(refused.Message))), nil
}

// refusedView returns the view of a page that says why a form was refused, with status 400.
func refusedView(page, title string, data any) view {
	return view{template: page, title: "Error: " + title, status: http.StatusBadRequest, data: data}
}

// statusUnknown is the status of a page that cannot say whether a change was made.
const statusUnknown = http.StatusServiceUnavailable

// hasCode reports whether an error is one with the code.
func hasCode(err error, code laurel.Code) bool {
	return err != nil && laurel.CodeOf(err) == code
}

// faultTexts returns the first fault of each field as a sentence.
func faultTexts(refused *laurel.Error) map[string]string {
	out := map[string]string{}
	for _, fault := range refused.Faults {
		if _, isNoted := out[fault.Path]; !isNoted {
			out[fault.Path] = sentence(strings.TrimPrefix(fault.Message, fault.Path+" "))
		}
	}
	return out
}

// asRefusal returns the error if it says that an input was invalid or refused; nil if it is another error.
func asRefusal(err error) *laurel.Error {
	var refused *laurel.Error
	if errors.As(err, &refused) && (refused.Code == laurel.Invalid || refused.Code == laurel.Refused) {
		return refused
	}
	return nil
}
