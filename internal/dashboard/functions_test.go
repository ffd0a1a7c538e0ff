package dashboard_test

import (
	"html"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

const (
	greets = "module.exports.handler = async (input, output) => {\n  console.log('seen <b>', input.input);\n" +
		"  output.setResult({hello: input.input.name, s: input.secrets.shop});\n  return output.buildOutput();\n};\n"
	fails = "module.exports.handler = async (input, output) => {" +
		" if (input) throw new Error('<i>no</i>'); output.setResult(1); return output.buildOutput(); };"
)

// createFunction makes a function by the form and returns its page.
func createFunction(b *apptest.Browser, name, code string, more ...string) apptest.Page {
	b.T.Helper()
	form := append([]string{"name", name, "code", code, "how", "keep"}, more...)
	return b.Post(b.Site("/functions"), form...).FollowsTo(b.Site("/functions/")).Shows(200, name, "Function created")
}

// redirectPath is the address of the function that a page is about.
func redirectPath(p apptest.Page) string {
	return regexp.MustCompile(`/admin/[^"/]+/functions/[0-9a-f-]{36}`).FindString(p.Body)
}

func TestAFunctionIsMadeRunAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		b.Get(b.Site("/functions")).Shows(200, "No functions yet", "Create function")
		fresh := b.Get(b.Site("/functions/new")).Shows(200, "output.setResult({ greeting:")
		docs, err := os.ReadFile("../../docs/functions.md")
		_, example, _ := strings.Cut(fresh.Body, "<textarea class=\"input code\" id=\"f-code\"")
		_, example, _ = strings.Cut(example, ">\n")
		example, _, _ = strings.Cut(example, "</textarea>")
		if err != nil || !strings.Contains(string(docs), "```js\n"+html.UnescapeString(example)+"```") {
			t.Errorf("the example is not that of the documentation: %s, %v", example, err)
		}
		made := createFunction(b, "hello <b>", strings.ReplaceAll(greets, "\n", "\r\n"), "cron", "*/15 * * * *",
			"secrets", "shop=s3cret=x\r\n\r\nother=\r\n")
		made.Hides("s3cret")
		at := redirectPath(made)
		b.Post(at+"/run", "input", "{nonsense").Shows(400, "Must be JSON", "{nonsense")
		ran := b.Post(at+"/run", "input", `{"name": "Ines <script>"}`).
			Shows(200, "Succeeded", `"s": "s3cret=x"`, "seen <b>", `{"name": "Ines <script>"}`)
		if strings.Contains(ran.Body, "<script>\"") || strings.Contains(ran.Body, "hello <b>") ||
			strings.Contains(ran.Body, "seen <b>") {
			t.Error("texts of members become code")
		}
		b.Get(at+"/settings").Shows(200, "Stored now: <code>other</code>, <code>shop</code>", "*/15 * * * *").Hides("s3cret")
		b.Get(b.Site("/functions")).Shows(200, "hello <b>", "*/15 * * * *", "Succeeded", "just now", `lo">1</td>`)
		b.Get(b.Site("/functions/functions.csv")).Shows(200, `"hello <b>","1","*/15 * * * *","false","succeeded"`)
		b.Post(at+"/enable", "to", "off").FollowsTo(at).Shows(200, "Function disabled", "Enable it to run it")
		b.Post(at+"/run", "input", "").Shows(400, "Function is disabled")
		b.Post(at+"/enable", "to", "on").FollowsTo(at).Shows(200, "Function enabled")
		b.Get(at+"/delete").Shows(200, "Delete hello <b>?")
		b.Post(at+"/delete").FollowsTo(b.Site("/functions")).Shows(200, "Function deleted", "No functions yet")
		b.Get(at).Shows(404, "Function not found")
		s.SignInAdmin(tenancy.RoleSuperAdmin).Get(b.Site("/activity")).Shows(200, "Created a function", "Ran a function",
			"Deleted a function")
	})
}

func TestAFunctionIsChangedInVersions(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		once := "11111111-2222-4333-8444-555555555555"
		bad := []string{"name", "Mine", "code", "this is <b> no code", "how", "keep", "secrets", "k=hush", "once", once}
		b.Post(b.Site("/functions"), bad...).Hides("hush").
			Shows(400, "Function code is invalid: ", "Mine", "this is <b> no code", "Enter the secrets again")
		b.Post(b.Site("/functions"), "name", "", "code", greets, "cron", "often", "how", "keep").
			Shows(400, "Must be a cron expression", "often").Hides("Function created")
		at := redirectPath(createFunction(b, "Mine", greets, "secrets", "k=hush", "once", once))
		b.Post(b.Site("/functions"), "name", "Mine", "code", greets, "how", "keep", "secrets", "k=hush", "once", once).
			FollowsTo(at).Shows(200, "applied only once")
		baseVersion := hidden(b.Get(at+"/settings"), "seen")
		save := func(baseVersion string, more ...string) apptest.Page {
			return b.Post(at+"/settings", append([]string{"seen", baseVersion, "name", "Mine"}, more...)...)
		}
		save(baseVersion, "code", strings.ReplaceAll(greets, "\n", "\r\n"), "how", "keep").
			FollowsTo(at).Shows(200, "Function saved.", "Version 1.")
		save(baseVersion, "code", fails, "how", "remove").FollowsTo(at).Shows(200, "Function saved as version 2", "<i>no</i>")
		conflict := save(baseVersion, "code", greets, "how", "keep").
			Shows(400, "Someone else changed this while you were editing", "version 2", "Overwrite their changes", "console.log('seen <b>'")
		b.Get(at + "/settings").Hides("Stored now")
		save(hidden(conflict, "seen"), "code", greets, "how", "replace", "secrets", "novalue").
			Shows(400, "Must be lines such as shop=abc", "console.log('seen <b>'").Hides("novalue")
		save(hidden(conflict, "seen"), "code", greets, "how", "replace").Shows(400, "Must be entered one per line")
		save(hidden(conflict, "seen"), "code", greets, "how", "replace", "secrets", "a=1").
			FollowsTo(at).Shows(200, "Function saved as version 3")
		b.Get(at+"?version=2").Shows(200, "Code in version 2", "<i>no</i>", "This is an earlier version")
		b.Get(at+"?version=9").Shows(404, "Function version not found")
		b.Get(at+"?version=x").Shows(404, "Function version not found")
		s.Post("/api/stratus/functions/"+at[strings.LastIndex(at, "/")+1:], object{"name": "From the API"}).OK()
		b.Get(at+"/settings").Shows(200, "From the API", "Stored now: <code>a</code>")
	})
}

func TestRunsOfAFunctionAreListed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		at := redirectPath(createFunction(b, "Fails", fails))
		b.Get(at+"/runs").Shows(200, "No runs yet")
		b.Post(at+"/run", "input", "").Shows(200, "Failed", "Error: <i>no</i>", "No logs")
		runs := b.Get(at+"/runs").Shows(200, "Failed", "Error: <i>no</i>", "Call", "Version")
		b.Get(at+"/runs?status=succeeded").Shows(200, "No matching runs")
		b.Get(at+"/runs?status=failed").Shows(200, "Error: <i>no</i>")
		b.Get(at+"/runs.csv?status=failed").Shows(200, `,"1","invoke","failed",`, "Error: <i>no</i>")
		run := regexp.MustCompile(at + `/runs/[0-9a-f-]{36}`).FindString(runs.Body)
		b.Get(run).Shows(200, "Run of Fails", "Started by", "Call", "Error: <i>no</i>")
		other := redirectPath(createFunction(b, "Other", greets))
		_, one, _ := strings.Cut(run, "/runs/")
		b.Get(other+"/runs/"+one).Shows(404, "Function run not found")
		b.Get(at+"/runs/none").Shows(404, "Function run not found")
		for range 51 {
			b.Post(at+"/run", "input", "1").Shows(200, "Failed")
		}
		page := b.Get(at+"/runs").Shows(200, "Older")
		older := regexp.MustCompile(`href="([^"]+startingAfter=[^"]+)"`).FindStringSubmatch(page.Body)
		if older == nil {
			t.Fatal("there is no older page")
		}
		if last := b.Get(html.UnescapeString(older[1])).Shows(200, "Newest"); !strings.Contains(last.Body, run) {
			t.Error("the first run is not on the last page")
		}
	})
}

func TestFunctionsAreForWhoMayAndForTheirWebsite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		owner := s.SignInAdmin(tenancy.RoleSuperAdmin)
		at := redirectPath(createFunction(owner, "Mine", greets))
		for _, role := range []*apptest.Browser{s.SignInAdmin(tenancy.RoleViewer), s.SignInAdmin(tenancy.RoleModerator)} {
			role.Get(role.Site("/functions")).Shows(200, "Mine").Hides("Create function", at)
			role.Get(role.Site("/functions/functions.csv")).Shows(200, "Mine")
			for _, path := range []string{at, at + "/runs", at + "/settings", at + "/delete", role.Site("/functions/new")} {
				role.Get(path).Shows(403, "can’t open, change, run or delete functions")
			}
			role.Post(at+"/run", "input", "").Shows(403, "can’t open")
			role.Post(at+"/delete").Shows(403, "can’t open")
		}
		other := s.NewProgram("Other")
		o := s.SignInOwner(other.OrganizationID)
		o.Get(at).Shows(404, "Website not found")
		_, one, _ := strings.Cut(at, "/functions/")
		there := "/admin/" + other.WebsiteID.String() + "/functions/" + one
		for _, path := range []string{there, there + "/runs", there + "/runs.csv", there + "/settings", there + "/delete"} {
			o.Get(path).Shows(404, "Function not found")
		}
		for _, path := range []string{"/run", "/settings", "/enable", "/delete"} {
			o.Post(there+path, "input", "1", "name", "Theirs", "code", greets).Shows(404, "Function not found")
		}
		owner.Get(at).Shows(200, "Mine", "Enabled")
	})
}

func TestOfTwoWhoSaveAFunctionAtOneMomentOneIsToldOfTheOther(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		at := redirectPath(createFunction(b, "Mine", greets))
		baseVersion := hidden(b.Get(at+"/settings"), "seen")
		pages := make([]apptest.Page, 2)
		var both sync.WaitGroup
		for i, name := range []string{"One", "Two"} {
			admin := s.SignInAdmin(tenancy.RoleDeveloper)
			code := strings.Replace(greets, "seen", name, 1)
			both.Go(func() {
				pages[i] = admin.Post(at+"/settings", "seen", baseVersion, "name", name, "code", code, "how", "keep")
			})
		}
		both.Wait()
		if pages[0].Status == 400 {
			pages[0], pages[1] = pages[1], pages[0]
		}
		pages[0].FollowsTo(at).Shows(200, "Version 2.")
		pages[1].Shows(400, "Someone else changed this while you were editing", "Overwrite their changes")
	})
}

func TestWhatAVersionChangedIsShown(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		made := createFunction(b, "Mine", greets)
		made.Hides("Changes in version")
		at := redirectPath(made)
		code := strings.Replace(greets, "{hello: input.input.name, s: input.secrets.shop}", "{bye: '<i>'}", 1)
		b.Post(at+"/settings", "seen", hidden(b.Get(at+"/settings"), "seen"), "name", "Mine", "code", code, "how", "keep").
			FollowsTo(at).Shows(200, "Changes in version 2", "<del>-   output.setResult({hello: input.input.name", "<ins>+   output.setResult({bye: '<i>'})")
		if page := b.Get(at + "?version=2").Body; strings.Contains(page, "bye: '<i>'") {
			t.Error("code becomes markup")
		}
		b.Get(at + "?version=1").Hides("Changes in version")
	})
}
