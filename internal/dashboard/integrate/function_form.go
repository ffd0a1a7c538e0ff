package integrate

import (
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/functions"
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
	form.Base
	Typed         map[string]string // name, code, cron, disabled
	Secrets       []string          // names of the stored ones
	SecretsAction string            // keep, replace or remove them
}

// functionTable has the settings of a function. Its code is not trimmed.
var functionTable = form.NewTable[functions.Function, functions.Input](form.Fields(
	"name", "Name", "code", "Code", "cron", "Schedule", "disabled", "Disabled",
), form.ByHand("code"))

// typedFunction returns the posted values of a function's form.
func (c *call) typedFunction() map[string]string {
	out := functionTable.Typed(c.PostForm)
	out["code"] = form.NormalizeLineEnds(c.PostFormValue("code"))
	return out
}

// typedSecrets reads from the posted form whether the secrets of a function are kept, replaced or removed, and sets
// them in the input accordingly. New secrets are typed as name=value, one per line. If there are any, they replace the
// saved ones, whatever else is chosen. action is the choice that the form shows if it is refused; malformed lines, or
// replacing without new secrets, are faults.
func (c *call) typedSecrets(in *functions.Input) (action string, faults laurel.Faults) {
	text := strings.TrimSpace(c.PostFormValue("secrets"))
	switch action = c.PostFormValue("how"); {
	case action == removeSecrets && text == "":
		in.Secrets = laurel.Null[map[string]string]()
		return action, faults
	case action != replaceSecrets && text == "":
		return keepSecrets, faults
	case text == "":
		faults.Add("secrets", "must be entered one per line, such as shop=abc")
		return action, faults
	}
	values := map[string]string{}
	for line := range strings.Lines(form.NormalizeLineEnds(text) + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, found := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !found || name == "" {
			faults.Add("secrets", "must be lines such as shop=abc")
			return replaceSecrets, faults
		}
		values[name] = value
	}
	in.Secrets = laurel.Some(values)
	return replaceSecrets, faults
}

// functionInput returns the typed values as the service's input, and what the form does with secrets: keep, replace or
// remove them. saved is nil for a new function. Unchanged values are left out, as unchanged code makes no new version.
func (c *call) functionInput(typed, saved map[string]string) (in functions.Input, secretsAction string, err error) {
	changes := form.Changes{Saved: saved, Typed: typed}
	in = functionTable.Input(changes)
	in.Code = changes.Text("code")
	secretsAction, faults := c.typedSecrets(&in)
	return in, secretsAction, faults.Err()
}

// showFunctionRefused shows the form again with what err, a refusal of the service, says about its fields. If too many
// functions are being checked or run, the form asks to be sent again. Secrets are never shown again, so the form asks
// for them once more. Any other error is returned.
func (c *call) showFunctionRefused(err error, page, title string, form functionForm) (web.View, error) {
	if laurel.CodeOf(err) == laurel.Unavailable {
		form.Error = "Too many functions are being checked or run right now. Submit the form again."
		again := web.View{Template: page, Title: "Error: " + title, Status: web.StatusUnknown, Data: form}
		return again, nil
	}
	return c.ShowRefused(err, page, title, func(refusal web.Refusal) any {
		for name, fault := range refusal.Faults {
			if secret, found := strings.CutPrefix(name, "secrets."); found {
				delete(refusal.Faults, name)
				refusal.Faults["secrets"] = secret + ": " + fault
			}
		}
		form.Refusal = refusal
		if c.PostFormValue("secrets") != "" && refusal.Faults["secrets"] == "" && len(refusal.Faults) > 0 {
			refusal.Faults["secrets"] = "Enter the secrets again, because they’re never shown."
		}
		return form
	})
}

// newFunctionPage shows the form of a new function, with example code.
func newFunctionPage(*call) (web.View, error) {
	form := functionForm{Typed: map[string]string{"code": functionExample}, SecretsAction: keepSecrets}
	return web.Show("function-new", "New function", form)
}

// createFunction creates a function from the posted form. A refused form is shown again, without the secrets.
func createFunction(c *call) (web.View, error) {
	form := functionForm{Typed: c.typedFunction()}
	in, secretsAction, err := c.functionInput(form.Typed, nil)
	form.SecretsAction = secretsAction
	var made functions.Function
	if err == nil {
		made, err = c.Functions.Create(c.Context(), c.Scope, in)
	}
	if err != nil {
		return c.showFunctionRefused(err, "function-new", "New function", form)
	}
	return c.Redirect(c.SitePath("functions", made.ID), "Function created. Run it to see what it does.")
}

// readFunctionForm returns the form of the function whose id is in the path, with its saved values and the names of its
// secrets.
func (c *call) readFunctionForm() (functionForm, error) {
	f, err := c.getFunction()
	if err != nil {
		return functionForm{}, err
	}
	saved := functionTable.Saved(f)
	saved["code"] = form.NormalizeLineEnds(f.Code)
	form := functionForm{
		functionData: functionData{Function: f, Tab: "settings"}, Typed: saved, Base: form.BaseOf(saved), SecretsAction: keepSecrets,
	}
	form.Secrets, err = c.Functions.SecretNames(f)
	return form, err
}

// functionSettingsPage shows the form with the settings of a function.
func functionSettingsPage(c *call) (web.View, error) {
	form, err := c.readFunctionForm()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("function-settings", "Settings for "+form.Function.Name, form)
}

// saveFunction saves a function. If someone else has saved other values since the form was opened, or while the code
// was being checked, nothing is written and the conflicts are shown.
func saveFunction(c *call) (web.View, error) {
	data, err := c.readFunctionForm()
	if err != nil {
		return web.View{}, err
	}
	saved, savedFunction, title := data.Typed, data.Function, "Settings for "+data.Function.Name
	data.Typed = c.typedFunction()
	in, secretsAction, err := c.functionInput(data.Typed, saved)
	data.SecretsAction = secretsAction
	if err == nil && data.FindConflicts(c.PostForm, saved, data.Typed, functionTable.Fields) {
		for i := range data.Conflicts {
			if conflict := &data.Conflicts[i]; conflict.Label == "Code" { // it is too long for a table
				conflict.Typed, conflict.Current = "as below", "version "+strconv.FormatInt(savedFunction.Version, 10)
			}
		}
		return web.Refused("function-settings", title, data), nil
	}
	var updated functions.Function
	if err == nil {
		scope := c.Scope.IfUnchanged(savedFunction.ID, savedFunction.UpdatedAt.Time)
		updated, err = c.Functions.Update(c.Context(), scope, savedFunction.ID, in)
	}
	if err != nil {
		return c.showFunctionRefused(err, "function-settings", title, data)
	}
	if updated.Version != savedFunction.Version {
		return c.Redirect(c.SitePath("functions", updated.ID), "Function saved as version "+strconv.FormatInt(updated.Version, 10)+".")
	}
	return c.Redirect(c.SitePath("functions", updated.ID), "Function saved.")
}
