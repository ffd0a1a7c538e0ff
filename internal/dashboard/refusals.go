package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"laurel"
)

// showRefused shows a form again after a refusal. data returns the page's data with the faults by field, and the
// refusal's text for those without a field. Other errors are returned.
func (c *request) showRefused(
	err error,
	page, title string,
	data func(faults map[string]string, text string) any,
) (view, error) {
	var refused *laurel.Error
	if !errors.As(err, &refused) || refused.Code != laurel.Invalid && refused.Code != laurel.Refused {
		return view{}, err
	}
	return view{
		template: page, title: "Error: " + title, status: http.StatusBadRequest,
		data: data(faultTexts(refused), sentence(refused.Message)),
	}, nil
}

// hasCode reports whether an error is one with the code.
func hasCode(err error, code laurel.Code) bool {
	return err != nil && laurel.CodeOf(err) == code
}

// faultTexts returns the faults of a refusal by field, as sentences.
func faultTexts(refused *laurel.Error) map[string]string {
	out := map[string]string{}
	for _, f := range refused.Faults {
		if _, more := out[f.Path]; !more {
			out[f.Path] = sentence(strings.TrimPrefix(f.Message, f.Path+" "))
		}
	}
	return out
}

// asRefusal returns the error as a refusal of an input; nil if it is another error.
func asRefusal(err error) *laurel.Error {
	var refused *laurel.Error
	if errors.As(err, &refused) && (refused.Code == laurel.Invalid || refused.Code == laurel.Refused) {
		return refused
	}
	return nil
}
