package arch_test

import (
	"go/ast"
	"slices"
	"testing"
)

// preparedTypes are the types that decide on a completion and stage what follows.
var preparedTypes = []string{"resolved", "plan", "checkIn", "acceptedWork", "RunChunk"}

// preparedCompletionsDoNotRead looks at the methods of preparedTypes: none takes a context, so all
// that they know was read before, or stands in locked rows.
func preparedCompletionsDoNotRead(t *tree) []string {
	var out []string
	for _, f := range t.packages()["completion"] {
		for _, decl := range f.ast.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || !slices.Contains(preparedTypes, receiver(method)) {
				continue
			}
			if slices.Contains(parameterKinds(f, method), "context.Context") {
				out = append(out, t.at(f, method.Pos(), "%s takes a context: what reads is a method of Service", method.Name.Name))
			}
		}
	}
	return out
}

func TestPhasesRule(t *testing.T) {
	t.Parallel()
	const path, head = "internal/rules/completion/a.go", "package completion\nimport \"context\"\n"
	tryPlanted(t, preparedCompletionsDoNotRead, []planted{
		{"reads", map[string]string{path: head + "func (p *plan) judge(ctx context.Context) {}\n"}, []string{"a.go:3: judge takes"}},
		{"clean", map[string]string{path: head + "func (p *plan) judge() {}\nfunc (s *Service) prepare(ctx context.Context) {}\n"}, nil},
	})
}
