package arch_test

import (
	"slices"
	"strings"
	"testing"
)

// mayClock lists the packages that read the clock and make ids and chance for all others. Tests, storetest, apptest
// and wait need no injected clock; a program beside the service has nothing to inject it. The torture is such a program too. The
// demo's chance has a fixed seed: it tells the same story every time. The bench measures with the system's clock, as a
// client does. The sandbox measures how long children run, with the same.
var mayClock = []string{
	"store", "app", "storetest", "apptest", "wait", "demo", "bench", "freeport", "sandbox", "scripts/torture",
}

func clockAndChanceAreInjected(t *tree) []string {
	var out []string
	for _, f := range t.files {
		if slices.Contains(mayClock, f.pkg) {
			continue
		}
		for pos, name := range uses(f, "time") {
			if slices.Contains([]string{"Now", "Since", "Until"}, name) {
				out = append(out, t.at(f, pos, "time.%s: take the time of the transaction or of store", name))
			}
		}
		for _, spec := range f.ast.Imports {
			target := unquote(spec.Path)
			if target == "crypto/rand" || strings.HasPrefix(target, "math/rand") || strings.Contains(target, "/uuid") {
				out = append(out, t.at(f, spec.Pos(), "%s: ids and chance come from store", target))
			}
		}
	}
	return out
}

func TestClockRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, clockAndChanceAreInjected, []planted{
		{
			"clock",
			map[string]string{
				"internal/points/ledger/a.go": "package ledger\nimport (\n\t\"time\"\n\tclock \"time\"\n)\nvar a = time.Now()\nvar b = clock.Since(a)\nvar c = time.Now\nvar d = time.Until(a)\n",
			},
			[]string{"a.go:6: time.Now", "a.go:7: time.Since", "a.go:8: time.Now", "a.go:9: time.Until"},
		},
		{
			"ids and chance",
			map[string]string{
				"internal/points/ledger/a.go": "package ledger\nimport (\n\t_ \"crypto/rand\"\n\t_ \"math/rand\"\n\t_ \"math/rand/v2\"\n\t_ \"github.com/gofrs/uuid/v5\"\n)",
			},
			[]string{"a.go:3: crypto/rand", "a.go:4: math/rand", "a.go:5: math/rand/v2", "a.go:6: github.com/gofrs/uuid"},
		},
		{
			"clean",
			map[string]string{
				"internal/points/ledger/a.go": "package ledger\nimport \"time\"\nvar a = time.Second\nvar b = time.NewTicker(a)\nvar c = db.Now()\n",
				"internal/store/a.go":         "package store\nimport (\n\t\"time\"\n\t_ \"crypto/rand\"\n)\nvar a = time.Now()\n",
			},
			nil,
		},
	})
}
