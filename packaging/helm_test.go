package packaging_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"go.yaml.in/yaml/v3"
)

type object = map[string]any

// merged returns values with changes on top, as helm merges them.
func merged(values, changes object) object {
	out := maps.Clone(values)
	for name, value := range changes {
		inner, isObject := value.(object)
		if outer, both := out[name].(object); isObject && both {
			value = merged(outer, inner)
		}
		out[name] = value
	}
	return out
}

// render renders the chart with functions that do what those of helm do, and returns the objects by kind.
func render(t *testing.T, changes object) (map[string]object, error) {
	t.Helper()
	var values, chart object
	if err := errors.Join(
		yaml.Unmarshal([]byte(read(t, "helm/laurel/values.yaml")), &values),
		yaml.Unmarshal([]byte(read(t, "helm/laurel/Chart.yaml")), &chart),
	); err != nil {
		t.Fatal(err)
	}
	root := template.New("chart")
	root.Funcs(functions(root))
	paths, err := filepath.Glob("helm/laurel/templates/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if _, err := root.New(filepath.Base(path)).Parse(read(t, path)); err != nil {
			t.Fatal(err)
		}
	}
	data := object{
		"Values": merged(values, changes), "Chart": object{
			"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"],
		},
		"Release": object{"Name": "demo", "Namespace": "shop", "Service": "Helm"},
	}
	out := map[string]object{}
	for _, path := range paths {
		var text strings.Builder
		if err := root.ExecuteTemplate(&text, filepath.Base(path), data); err != nil {
			return nil, err
		}
		if filepath.Ext(path) != ".yaml" || strings.TrimSpace(text.String()) == "" {
			continue
		}
		var made object
		if err := yaml.Unmarshal([]byte(text.String()), &made); err != nil {
			t.Fatalf("%s: %v in\n%s", path, err, text.String())
		}
		out[made["kind"].(string)] = made
	}
	return out, nil
}

// functions returns Helm's functions in the chart's templates.
func functions(root *template.Template) template.FuncMap {
	indent := func(n int, text string) string {
		return strings.ReplaceAll("\n"+text, "\n", "\n"+strings.Repeat(" ", n))
	}
	isEmpty := func(v any) bool { return v == nil || v == "" }
	return template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out strings.Builder
			err := root.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"nindent": indent,
		"toYaml": func(v any) (string, error) {
			text, err := yaml.Marshal(v)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"quote": func(v any) string { return fmt.Sprintf("%q", fmt.Sprint(v)) },
		"default": func(fallback, v any) any {
			if isEmpty(v) {
				return fallback
			}
			return v
		},
		"required": func(message string, v any) (any, error) {
			if isEmpty(v) {
				return nil, errors.New(message)
			}
			return v, nil
		},
		"fail":       func(message string) (string, error) { return "", errors.New(message) },
		"dict":       func(pairs ...any) object { return object{pairs[0].(string): pairs[1], pairs[2].(string): pairs[3]} },
		"add":        func(a, b int) int { return a + b },
		"int":        func(v int) int { return v },
		"trunc":      func(n int, text string) string { return text[:min(n, len(text))] },
		"trimSuffix": func(suffix, text string) string { return strings.TrimSuffix(text, suffix) },
	}
}

// at returns what is at a path of an object; numbers are places in lists.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(object)[step]
		case int:
			v = v.([]any)[step]
		}
		if v == nil {
			t.Fatalf("nothing at %v", path)
		}
	}
	return v
}

// whole sets the required values of the chart, and most optional ones.
var whole = object{
	"image": object{"repository": "registry.example/laurel"}, "database": object{"secret": "db", "caKey": "ca.crt"},
	"files":        object{"bucket": "s3://files?region=a", "credentialsSecret": "bucket"},
	"secret":       object{"name": "laurel-secret"},
	"env":          object{"LAUREL_PUBLIC_URL": "https://loyalty.example.com"},
	"configSecret": "config", "ingress": object{"enabled": true, "host": "loyalty.example.com", "tlsSecret": "tls"},
	"podLabels": object{"team": "loyalty"}, "podAnnotations": object{"a": "b"},
}

func TestTheChartAgreesWithItself(t *testing.T) {
	t.Parallel()
	all, err := render(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{"Deployment", "Ingress", "Job", "PodDisruptionBudget", "Service", "ServiceAccount"}
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, kinds) {
		t.Fatalf("kinds %v", got)
	}
	pod := at(t, all["Deployment"], "spec", "template")
	container := at(t, pod, "spec", "containers", 0)
	port := at(t, container, "ports", 0)
	listen := at(t, container, "env", 0).(object)
	if listen["name"] != "LAUREL_LISTEN" || listen["value"] != fmt.Sprintf("0.0.0.0:%d", at(t, port, "containerPort")) {
		t.Errorf("%v at %v", listen, port)
	}
	routes := source(t, "../internal/api/rest/*.go")
	for probe, path := range map[string]string{
		"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz",
	} {
		get := at(t, container, probe, "httpGet").(object)
		if get["path"] != path || get["port"] != port.(object)["name"] || !strings.Contains(routes, `"`+path+`"`) {
			t.Errorf("%s: %v", probe, get)
		}
	}
	if target := at(t, all["Service"], "spec", "ports", 0, "targetPort"); target != port.(object)["name"] {
		t.Errorf("the service goes to %v", target)
	}
	metrics := at(t, container, "ports", 1).(object)
	private := at(t, container, "env", 1).(object)
	if private["name"] != "LAUREL_METRICS_LISTEN" || private["value"] != fmt.Sprintf("0.0.0.0:%d", metrics["containerPort"]) {
		t.Errorf("%v at %v", private, metrics)
	}
	if target := at(t, all["Service"], "spec", "ports", 1, "targetPort"); target != metrics["name"] {
		t.Errorf("the service's port of metrics goes to %v", target)
	}
	if published := at(t, all["Ingress"], "spec", "rules", 0, "http", "paths", 0, "backend", "service", "port", "name"); published != "http" {
		t.Errorf("the ingress publishes %v", published)
	}
	labels := at(t, pod, "metadata", "labels").(object)
	for _, selector := range []any{
		at(t, all["Deployment"], "spec", "selector", "matchLabels"), at(t, all["Service"], "spec", "selector"),
		at(t, all["PodDisruptionBudget"], "spec", "selector", "matchLabels"),
	} {
		for name, value := range selector.(object) {
			if labels[name] != value {
				t.Errorf("%s is %v, and pods have %v", name, value, labels[name])
			}
		}
	}
	job := at(t, all["Job"], "spec", "template")
	if at(t, job, "metadata", "labels", "app.kubernetes.io/name") == labels["app.kubernetes.io/name"] {
		t.Error("the service would send requests to the job")
	}
	for _, c := range []any{container, at(t, job, "spec", "containers", 0)} {
		if name := at(t, c, "args", 0); !slices.Contains(commands(t), name.(string)) {
			t.Errorf("laurel has no command %v", name)
		}
		if at(t, c, "securityContext", "readOnlyRootFilesystem") != true {
			t.Error("the container may write outside of its volumes")
		}
	}
	volumes := map[any]bool{}
	for _, v := range at(t, pod, "spec", "volumes").([]any) {
		volumes[v.(object)["name"]] = true
	}
	for _, m := range at(t, container, "volumeMounts").([]any) {
		if !volumes[m.(object)["name"]] {
			t.Errorf("no volume %v", m)
		}
	}
	last, _ := dockerfile(t)
	if user := fmt.Sprintf("%d:%[1]d", at(t, pod, "spec", "securityContext", "runAsUser")); user != one(t, last, "USER") {
		t.Errorf("the pod runs as %s, the image as %s", user, one(t, last, "USER"))
	}
}

func TestTheChartSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"image", "database", "files", "secret"} {
		changes := maps.Clone(whole)
		delete(changes, name)
		if _, err := render(t, changes); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	single := maps.Clone(whole)
	single["replicas"], single["ingress"], single["migrate"] = 1, object{}, object{"enabled": false}
	single["files"] = object{"existingClaim": "shared"}
	all, err := render(t, single)
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{"Deployment", "Service", "ServiceAccount"}
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, kinds) {
		t.Errorf("kinds %v", got)
	}
	claim := at(t, all["Deployment"], "spec", "template", "spec", "volumes", 0, "persistentVolumeClaim", "claimName")
	if claim != "shared" {
		t.Errorf("the claim is %v", claim)
	}
	single["secret"], single["env"] = object{}, object{"LAUREL_SEAL_KEY": "/etc/laurel/config/seal-key"}
	if _, err := render(t, single); err != nil {
		t.Errorf("with a seal key of its own: %v", err)
	}
}
