package packaging_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// source returns the text of all files that a pattern matches.
func source(t *testing.T, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var out strings.Builder
	for _, path := range paths {
		out.WriteString(read(t, path))
	}
	return out.String()
}

// submatches returns the first group of every match.
func submatches(pattern, text string) (out []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// commands returns the names of the commands of laurel.
func commands(t *testing.T) (out []string) {
	t.Helper()
	for _, name := range submatches(`(?m)^\t(\w+)\s+\w+Command\s+.cmd:`, read(t, "../cmd/laurel/main.go")) {
		out = append(out, strings.ToLower(name))
	}
	if !slices.Contains(out, "serve") || !slices.Contains(out, "health") {
		t.Fatalf("commands %v", out)
	}
	return out
}

func TestEveryVariableThatIsNamedExists(t *testing.T) {
	t.Parallel()
	text := source(t, "../cmd/laurel/*.go")
	known := submatches(`env:"(LAUREL_[A-Z_]+)"`, text)
	known = append(known, submatches(`"(LAUREL_SECRET\w*)"`, text)...)
	known = append(known, "LAUREL_VERSION") // of the image, in compose
	for _, pattern := range []string{"Dockerfile", "compose.yaml", "systemd/*", "helm/laurel/values.yaml", "helm/laurel/templates/*"} {
		for _, name := range submatches(`\b(LAUREL_[A-Z_]+)\b`, source(t, pattern)) {
			if !slices.Contains(known, name) {
				t.Errorf("%s names %s, which laurel does not read", pattern, name)
			}
		}
	}
}

// instruction is one instruction of the Dockerfile.
type instruction struct{ name, rest string }

// dockerfile returns the instructions of the Dockerfile's last stage, and those of all stages.
func dockerfile(t *testing.T) (last, all []instruction) {
	t.Helper()
	text := regexp.MustCompile(`(?m)^\s*#.*\n`).ReplaceAllString(read(t, "Dockerfile"), "")
	known := []string{"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" {
			continue
		}
		if !slices.Contains(known, name) {
			t.Errorf("%s is no instruction", name)
		}
		if name == "FROM" {
			last = nil
		}
		last = append(last, instruction{name, strings.Join(strings.Fields(rest), " ")})
		all = append(all, last[len(last)-1])
	}
	return last, all
}

// one returns the one instruction of a name.
func one(t *testing.T, list []instruction, name string) string {
	t.Helper()
	var found []string
	for _, i := range list {
		if i.name == name {
			found = append(found, i.rest)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d instructions %s", len(found), name)
	}
	return found[0]
}

// execForm returns the words of a command in exec form: the image has no shell.
func execForm(t *testing.T, text string) (words []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &words); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return words
}

func TestTheImageRunsTheBinaryWithoutRights(t *testing.T) {
	t.Parallel()
	last, all := dockerfile(t)
	if base := one(t, last, "FROM"); !strings.HasSuffix(base, ":nonroot") {
		t.Errorf("FROM %s", base)
	}
	if user := one(t, last, "USER"); user != "65532:65532" {
		t.Errorf("USER %s: Kubernetes sees only in a number that it is not root", user)
	}
	env := map[string]string{}
	for pair := range strings.FieldsSeq(one(t, last, "ENV")) {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	volume := one(t, last, "VOLUME")
	for _, name := range []string{"LAUREL_DATABASE_URL", "LAUREL_DATA_DIR", "XDG_STATE_HOME"} {
		if path := strings.TrimPrefix(env[name], "sqlite:"); path != volume && !strings.HasPrefix(path, volume+"/") {
			t.Errorf("%s is %s, outside of the volume %s", name, env[name], volume)
		}
	}
	if port := one(t, last, "EXPOSE"); env["LAUREL_LISTEN"] != "0.0.0.0:"+port {
		t.Errorf("port %s, and %s", port, env["LAUREL_LISTEN"])
	}
	entry := execForm(t, one(t, last, "ENTRYPOINT"))
	_, check, _ := strings.Cut(one(t, last, "HEALTHCHECK"), "CMD ")
	health, cmd := execForm(t, check), execForm(t, one(t, last, "CMD"))
	if len(entry) != 1 || len(cmd) != 1 || len(health) != 2 || health[0] != entry[0] {
		t.Fatalf("%v %v %v", entry, cmd, health)
	}
	for _, name := range []string{cmd[0], health[1]} {
		if !slices.Contains(commands(t), name) {
			t.Errorf("laurel has no command %s", name)
		}
	}
	var placed []string
	for _, i := range last {
		if i.name == "COPY" {
			words := strings.Fields(i.rest)
			placed = append(placed, words[len(words)-1])
		}
	}
	if !slices.Equal(placed, []string{entry[0], entry[0] + ".cdx.json", volume}) {
		t.Errorf("COPY places %v", placed)
	}
	if !slices.ContainsFunc(all, func(i instruction) bool {
		return i.name == "RUN" && strings.Contains(i.rest, "scripts/release.sh --binary /out"+entry[0]+" ")
	}) {
		t.Error("the binary is not that of a release")
	}
	if !slices.ContainsFunc(all, func(i instruction) bool {
		return i.name == "RUN" && strings.Contains(i.rest, "scripts/release.sh --modules /out"+entry[0]+".cdx.json /out"+entry[0]+" ")
	}) {
		t.Error("the list of modules is not that of the binary")
	}
	if !strings.Contains(read(t, "../go.mod"), "\ngo "+strings.TrimPrefix(all[0].rest, "GO_VERSION=")+".") {
		t.Errorf("%s is not the version of go.mod", all[0].rest)
	}
	if ignored := read(t, "../.dockerignore"); !strings.Contains(ignored, "\npackaging/secrets\n") {
		t.Error("the secrets of compose would be in the build")
	}
}

// service is a service of compose.
type service struct {
	Environment map[string]string
	Secrets     []string
	Ports       []string
	Volumes     []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck struct{ Test []string }
	Build       struct{ Context, Dockerfile string }
}

func TestComposeAgreesWithTheImage(t *testing.T) {
	t.Parallel()
	var compose struct {
		Services map[string]service
		Volumes  map[string]any
		Secrets  map[string]struct{ File string }
	}
	if err := yaml.Unmarshal([]byte(read(t, "compose.yaml")), &compose); err != nil {
		t.Fatal(err)
	}
	last, _ := dockerfile(t)
	laurel := compose.Services["laurel"]
	if _, err := os.Stat(filepath.Join(laurel.Build.Context, laurel.Build.Dockerfile)); err != nil {
		t.Error(err)
	}
	if len(laurel.Ports) != 1 || !strings.HasSuffix(laurel.Ports[0], ":"+one(t, last, "EXPOSE")) {
		t.Errorf("ports %v", laurel.Ports)
	}
	if len(laurel.Volumes) != 1 || !strings.HasSuffix(laurel.Volumes[0], ":"+one(t, last, "VOLUME")) {
		t.Errorf("volumes %v", laurel.Volumes)
	}
	entry := execForm(t, one(t, last, "ENTRYPOINT"))
	if check := laurel.Healthcheck.Test; len(check) < 3 || check[1] != entry[0] || !slices.Contains(commands(t), check[2]) {
		t.Errorf("healthcheck %v", check)
	}
	for name := range laurel.DependsOn {
		other, isThere := compose.Services[name]
		if !isThere || len(other.Healthcheck.Test) == 0 {
			t.Errorf("laurel waits for the health of %s, which has no check", name)
		}
		if !strings.Contains(laurel.Environment["LAUREL_DATABASE_URL"], "@"+name+":") {
			t.Errorf("the database is not at %s", name)
		}
	}
	for name, s := range compose.Services {
		for _, volume := range s.Volumes {
			if volume, _, _ = strings.Cut(volume, ":"); !hasKey(compose.Volumes, volume) {
				t.Errorf("%s: no volume %s", name, volume)
			}
		}
		for _, secret := range s.Secrets {
			if file := compose.Secrets[secret].File; file != "secrets/"+secret {
				t.Errorf("%s: secret %s is the file %q", name, secret, file)
			}
		}
		for variable, value := range s.Environment {
			if file, isSecret := strings.CutPrefix(value, "/run/secrets/"); isSecret && !slices.Contains(s.Secrets, file) {
				t.Errorf("%s: %s names a secret that it does not get", name, variable)
			}
		}
	}
	if !strings.Contains(read(t, "../.gitignore"), "\n/packaging/secrets/\n") {
		t.Error("the secrets could be committed")
	}
}

func hasKey[V any](m map[string]V, key string) bool {
	_, ok := m[key]
	return ok
}

func TestTheUnitHasAUserOfItsOwnAndFewRights(t *testing.T) {
	t.Parallel()
	text := read(t, "systemd/laurel.service")
	unit := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || regexp.MustCompile(`^\[(Unit|Service|Install)\]$`).MatchString(line) {
			continue
		}
		name, value, isPair := strings.Cut(line, "=")
		if !isPair || strings.ContainsAny(name, " \t") {
			t.Errorf("%q is no setting", line)
		}
		unit[name] += value + "\n"
	}
	for name, want := range map[string]string{
		"DynamicUser": "yes\n", "ProtectSystem": "strict\n", "ProtectHome": "yes\n", "NoNewPrivileges": "yes\n",
		"PrivateTmp": "yes\n", "CapabilityBoundingSet": "\n", "StateDirectory": "laurel\n", "Restart": "on-failure\n",
		"ExecStart": "/usr/local/bin/laurel serve\n",
	} {
		if unit[name] != want {
			t.Errorf("%s=%q, want %q", name, unit[name], want)
		}
	}
	credential, _, _ := strings.Cut(unit["LoadCredential"], ":")
	if !strings.Contains(unit["Environment"], "LAUREL_SECRET_FILE=%d/"+credential+"\n") {
		t.Errorf("credential %s, environment %s", credential, unit["Environment"])
	}
	settings := regexp.MustCompile(`^#?[A-Z_]+=\S+$|^# |^$`)
	for line := range strings.Lines(read(t, "systemd/laurel.env")) {
		if line = strings.TrimSuffix(line, "\n"); !settings.MatchString(line) {
			t.Errorf("laurel.env: %q is neither a setting nor a comment", line)
		}
		if path, isSQLite := strings.CutPrefix(line, "LAUREL_DATABASE_URL=sqlite:"); isSQLite &&
			filepath.Dir(path) != "/var/lib/"+strings.TrimSpace(unit["StateDirectory"]) {
			t.Errorf("%s is not in the folder of the service", path)
		}
	}
}
