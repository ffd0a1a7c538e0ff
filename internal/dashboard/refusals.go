package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"laurel"
)

// showRefused shows a form again with what was typed and what is wrong with it. data makes the page's data of the
// faults by field, or of a text where no field is to blame. Errors that are no refusal of the input stay errors.
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

// hasCode reports whether an error is a refusal with the code.
func hasCode(err error, code laurel.Code) bool {
	return err != nil && laurel.CodeOf(err) == code
}

// faultTexts are the problems of an input by field, without the field's name before them.
func faultTexts(refused *laurel.Error) map[string]string {
	out := map[string]string{}
	for _, f := range refused.Faults {
		if _, more := out[f.Path]; !more {
			out[f.Path] = sentence(strings.TrimPrefix(f.Message, f.Path+" "))
		}
	}
	return out
}

// asRefusal returns the refusal of an input; nil where the error is another.
func asRefusal(err error) *laurel.Error {
	var refused *laurel.Error
	if errors.As(err, &refused) && (refused.Code == laurel.Invalid || refused.Code == laurel.Refused) {
		return refused
	}
	return nil
}
