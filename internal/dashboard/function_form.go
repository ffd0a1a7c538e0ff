package dashboard

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/functions"
)

// functionExample is the code that a new function begins with: the one of docs/functions.md.
const functionExample = `module.exports.handler = async (input, output) => {
  console.log("called with", input.input);
  output.setResult({ greeting: ` + "`Hello, ${input.input.name}!`" + ` });
  return output.buildOutput();
};
`

// What the form does with secrets.
const (
	keepSecrets    = "keep"
	replaceSecrets = "replace"
	removeSecrets  = "remove"
)

// functionForm is the form of a function, new or existing.
type functionForm struct {
	functionData
	Typed         map[string]string // name, code, cron, disabled
	Secrets       []string          // names of the stored ones
	SecretsAction string            // keep, replace or remove them
	BaseVersion   string
	Conflicts     []fieldConflict
}

// functionFields are the settings of a function, in the order of the form.
var functionFields = []labeledField{{"name", "Name"}, {"code", "Code"}, {"cron", "Schedule"}, {"disabled", "Disabled"}}

// functionTexts returns the settings of a function as the inputs of its form hold them.
func functionTexts(f functions.Function) map[string]string {
	out := map[string]string{"name": f.Name, "code": normalizeLineEnds(f.Code), "cron": f.Cron, "disabled": ""}
	if f.Disabled {
		out["disabled"] = "yes"
	}
	return out
}

// normalizeLineEnds replaces the line ends that browsers send by "\n".
func normalizeLineEnds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// typedFunction returns the posted values of a function's form.
func (c *request) typedFunction() map[string]string {
	out := c.typedFieldsOf("name", "code", "cron", "disabled")
	out["name"], out["cron"] = strings.TrimSpace(out["name"]), strings.TrimSpace(out["cron"])
	out["code"] = normalizeLineEnds(out["code"])
	return out
}

// typedSecrets reads what the form does with the secrets of a function: keep, replace or remove them. New ones are
// typed as name=value, one per line, and never shown again. It sets them in the input and returns the action.
func (c *request) typedSecrets(in *functions.Input) (how string, f laurel.Faults) {
	text := strings.TrimSpace(c.PostFormValue("secrets"))
	switch how = c.PostFormValue("how"); {
	case how == removeSecrets && text == "":
		in.Secrets = laurel.Null[map[string]string]()
		return how, f
	case how != replaceSecrets && text == "":
		return keepSecrets, f
	case text == "":
		f.Add("secrets", "must be entered one per line, such as shop=abc")
		return how, f
	}
	values := map[string]string{}
	for line := range strings.Lines(normalizeLineEnds(text) + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, found := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !found || name == "" {
			f.Add("secrets", "must be lines such as shop=abc")
			return replaceSecrets, f
		}
		values[name] = value
	}
	in.Secrets = laurel.Some(values)
	return replaceSecrets, f
}

// functionInput makes the service's input of the typed values. was is the saved function, nil for a new one. Unchanged
// values are left out: unchanged code makes no new version.
func (c *request) functionInput(
	typed map[string]string,
	was *functions.Function,
) (in functions.Input, how string, err error) {
	in.Name = laurel.Some(typed["name"])
	if off := typed["disabled"] != ""; was == nil || was.Disabled != off {
		in.Disabled = laurel.Some(off)
	}
	if was == nil || normalizeLineEnds(was.Code) != typed["code"] {
		in.Code = laurel.Some(typed["code"])
	}
	switch {
	case typed["cron"] != "" && (was == nil || was.Cron != typed["cron"]):
		in.Cron = laurel.Some(typed["cron"])
	case typed["cron"] == "" && was != nil && was.Cron != "":
		in.Cron = laurel.Null[string]()
	}
	how, f := c.typedSecrets(&in)
	return in, how, f.Err()
}

// showFunctionRefused shows the form again. If too many functions are being checked or run, the form asks to be sent
// again.
func (c *request) showFunctionRefused(err error, page, title string, form functionForm) (view, error) {
	if laurel.CodeOf(err) == laurel.Unavailable {
		form.Error = "Too many functions are being checked or run right now. Submit the form again."
		again := view{template: page, title: "Error: " + title, status: http.StatusServiceUnavailable, data: form}
		return again, nil
	}
	return c.showRefused(err, page, title, func(faults map[string]string, text string) any {
		for name, fault := range faults {
			if secret, found := strings.CutPrefix(name, "secrets."); found {
				delete(faults, name)
				faults["secrets"] = secret + ": " + fault
			}
		}
		form.Faults, form.Error = faults, text
		if c.PostFormValue("secrets") != "" && faults["secrets"] == "" && len(faults) > 0 {
			faults["secrets"] = "Enter the secrets again, because they are never shown."
		}
		return form
	})
}

func newFunctionPage(*request) (view, error) {
	form := functionForm{Typed: map[string]string{"code": functionExample}, SecretsAction: keepSecrets}
	return pageView("function-new", "New function", form)
}

// createFunction creates a function from the posted form.
func createFunction(c *request) (view, error) {
	form := functionForm{Typed: c.typedFunction()}
	in, how, err := c.functionInput(form.Typed, nil)
	form.SecretsAction = how
	var made functions.Function
	if err == nil {
		made, err = c.d.Functions.Create(c.Context(), c.scope, in)
	}
	if err != nil {
		return c.showFunctionRefused(err, "function-new", "New function", form)
	}
	return c.redirect(c.sitePath("functions", made.ID), "Function created. Run it to see what it does.")
}

// readFunctionForm returns the form of the function of the path as it is saved.
func (c *request) readFunctionForm() (functionForm, error) {
	f, err := c.findFunction()
	if err != nil {
		return functionForm{}, err
	}
	texts := functionTexts(f)
	form := functionForm{
		functionData: functionData{Function: f, Tab: "settings"}, Typed: texts, BaseVersion: formVersion(texts), SecretsAction: keepSecrets,
	}
	form.Secrets, err = c.d.Functions.SecretNames(f)
	return form, err
}

// functionSettingsPage shows the form with the settings of a function.
func functionSettingsPage(c *request) (view, error) {
	form, err := c.readFunctionForm()
	if err != nil {
		return view{}, err
	}
	return pageView("function-settings", "Settings of "+form.Function.Name, form)
}

// saveFunction saves a function. If someone else has saved other values since the form was opened, or while the code
// was checked, nothing is written and the conflicts are shown.
func saveFunction(c *request) (view, error) {
	form, err := c.readFunctionForm()
	if err != nil {
		return view{}, err
	}
	saved, was, title := form.Typed, form.Function, "Settings of "+form.Function.Name
	form.Typed = c.typedFunction()
	in, how, err := c.functionInput(form.Typed, &was)
	form.SecretsAction = how
	if err == nil && c.PostFormValue(baseVersionField) != form.BaseVersion {
		if page := form.conflictView(saved); page != nil {
			return *page, nil
		}
	}
	var f functions.Function
	if err == nil {
		f, err = c.d.Functions.UpdateFrom(c.Context(), c.scope, was, in)
	}
	if errors.Is(err, functions.ErrChanged) { // while the code was checked
		now, err := c.readFunctionForm()
		if err != nil {
			return view{}, err
		}
		saved, now.Typed, now.SecretsAction = now.Typed, form.Typed, how
		if page := now.conflictView(saved); page != nil {
			return *page, nil
		}
		err = laurel.Errorf(laurel.Refused, "Someone else changed this while you were editing. Submit the form again")
		return c.showFunctionRefused(err, "function-settings", title, now)
	}
	if err != nil {
		return c.showFunctionRefused(err, "function-settings", title, form)
	}
	if f.Version != was.Version {
		return c.redirect(c.sitePath("functions", f.ID), "Function saved as version "+strconv.FormatInt(f.Version, 10)+".")
	}
	return c.redirect(c.sitePath("functions", f.ID), "Function saved.")
}

// conflictView returns the page with the conflicts between saved and typed values; nil if there are none.
func (f functionForm) conflictView(saved map[string]string) *view {
	f.Conflicts = findConflicts(saved, f.Typed, functionFields)
	for i, d := range f.Conflicts {
		if d.Label == "Code" { // too long for a table
			f.Conflicts[i] = fieldConflict{d.Label, "as below", "version " + strconv.FormatInt(f.Function.Version, 10)}
		}
	}
	if len(f.Conflicts) == 0 {
		return nil
	}
	title := "Error: Settings of " + f.Function.Name
	return &view{template: "function-settings", title: title, status: http.StatusBadRequest, data: f}
}
