package arch_test

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// servicesAreWhole looks at exported methods that keep what they are given: a Service keeps nothing, and nothing else
// keeps a function. Whatever needs another part gets it from its constructor, so that nobody can use it without.
func servicesAreWhole(t *tree) []string {
	var out []string
	functions := t.functionTypes()
	for _, f := range t.files {
		if f.pkg == "apptest" { // part of the tests, which interfere with its clock while it runs
			continue
		}
		for _, decl := range f.ast.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || !method.Name.IsExported() || receiver(method) == "" {
				continue
			}
			var given []string
			for _, field := range method.Type.Params.List {
				if receiver(method) == "Service" || isFunction(f, field.Type, functions) {
					given = append(given, namesOf(field)...)
				}
			}
			for _, pos := range keeps(method, given) {
				out = append(out, t.at(f, pos, "%s.%s keeps what %s gives it: give it to the constructor",
					f.pkg, receiver(method), method.Name.Name))
			}
		}
	}
	return out
}

// keeps returns where a method sets something of its receiver to what one of the variables says.
func keeps(method *ast.FuncDecl, given []string) (at []token.Pos) {
	self := namesOf(method.Recv.List[0])
	ast.Inspect(method, func(n ast.Node) bool {
		set, ok := n.(*ast.AssignStmt)
		if ok && slices.ContainsFunc(set.Lhs, func(to ast.Expr) bool { return isOf(to, self) }) &&
			slices.ContainsFunc(set.Rhs, func(value ast.Expr) bool { return mentions(value, given) }) {
			at = append(at, set.Pos())
		}
		return true
	})
	return at
}

// functionTypes lists the named function types as "pkg.Name".
func (t *tree) functionTypes() map[string]bool {
	out := map[string]bool{}
	for _, f := range t.files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && isFunction(f, spec.Type, nil) {
				out[f.pkg+"."+spec.Name.Name] = true
			}
			return true
		})
	}
	return out
}

func isFunction(f *file, e ast.Expr, named map[string]bool) bool {
	switch e := e.(type) {
	case *ast.FuncType:
		return true
	case *ast.Ident:
		return named[f.pkg+"."+e.Name]
	}
	return named[typeName(f, e)]
}

func namesOf(field *ast.Field) (names []string) {
	for _, name := range field.Names {
		names = append(names, name.Name)
	}
	return names
}

// isOf reports whether an expression is a field or an element of one of the variables.
func isOf(e ast.Expr, variables []string) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return mentions(e.X, variables)
	case *ast.IndexExpr:
		return isOf(e.X, variables)
	}
	return false
}

// mentions reports whether an expression has one of the variables in it.
func mentions(e ast.Node, variables []string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && slices.Contains(variables, id.Name)
		return !found
	})
	return found
}

// wiringGoesDown looks at the method wire of the App. A constructor gets services that are made already, never the App,
// which is incomplete until wire returns, and wire changes no service after it has made it.
func wiringGoesDown(t *tree) []string {
	var out []string
	methods := map[string]bool{}
	var wire *ast.FuncDecl
	var in *file
	for _, f := range t.files {
		for _, decl := range f.ast.Decls {
			if method, ok := decl.(*ast.FuncDecl); ok && f.pkg == "app" && receiver(method) == "App" {
				methods[method.Name.Name] = true
				if method.Name.Name == "wire" {
					wire, in = method, f
				}
			}
		}
	}
	if wire == nil {
		return []string{"package app has no method wire of the App"}
	}
	w := &wiring{
		app:     namesOf(wire.Recv.List[0]),
		methods: methods,
		made:    map[string]token.Pos{},
		fine:    map[ast.Node]bool{},
	}
	ast.Inspect(wire.Body, w.note)
	ast.Inspect(wire.Body, func(n ast.Node) bool {
		if fault := w.fault(n); fault != "" {
			out = append(out, t.at(in, n.Pos(), "%s", fault))
		}
		return true
	})
	return out
}

// wiring is what wire does with the App.
type wiring struct {
	app     []string             // its name
	methods map[string]bool      // of the App
	made    map[string]token.Pos // where a field of it is set first
	fine    map[ast.Node]bool    // its name before a field, and what is called as a step of its own
}

// note collects what faults are judged by.
func (w *wiring) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		w.fine[n.X] = true
	case *ast.CallExpr:
		if _, handed := w.fine[n.Fun]; !handed {
			w.fine[n.Fun] = true
		}
		for _, argument := range n.Args {
			ast.Inspect(argument, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					w.fine[call.Fun] = false
				}
				return true
			})
		}
	case *ast.AssignStmt:
		for _, to := range n.Lhs {
			if field, ok := w.field(to); ok && w.made[field] == token.NoPos {
				w.made[field] = to.Pos()
			}
		}
	}
	return true
}

// field returns the name of a field or method of the App.
func (w *wiring) field(n ast.Node) (string, bool) {
	field, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	of, ok := field.X.(*ast.Ident)
	return field.Sel.Name, ok && slices.Contains(w.app, of.Name)
}

// fault says what is wrong with a node; "": nothing.
func (w *wiring) fault(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FuncLit:
		if mentions(n, w.app) {
			return "a function of the App is handed out: make it of what it needs"
		}
	case *ast.Ident:
		if slices.Contains(w.app, n.Name) && !w.fine[n] {
			return "the App is handed out before it is whole"
		}
	case *ast.AssignStmt:
		for _, to := range n.Lhs {
			if set, ok := to.(*ast.SelectorExpr); ok && isOf(set.X, w.app) {
				return set.Sel.Name + " is set after construction: give it to the constructor"
			}
		}
	case *ast.SelectorExpr:
		name, of := w.field(n)
		switch {
		case of && w.methods[name] && !w.fine[n]:
			return name + " is a method of the App: make it a function of what it needs"
		case of && w.made[name] > n.Pos():
			return name + " is used before it is made"
		}
	}
	return ""
}

func TestWholeServiceRule(t *testing.T) {
	t.Parallel()
	head := "package external\ntype Service struct{ finish map[string]Finish; hooks []func() }\ntype Finish func()\n" +
		"type Payer struct{ Finish }\ntype Queue struct{ do Finish; n int }\n"
	plant := func(text string) map[string]string {
		return map[string]string{"internal/points/external/a.go": head + text}
	}
	tryPlanted(t, servicesAreWhole, []planted{
		{"a callback by its kind", plant("func (s *Service) Finishes(kind string, f Finish) { s.finish[kind] = f }\n"),
			[]string{"a.go:6: external.Service keeps what Finishes gives it"}},
		{"a callback among others, and in a value", plant("func (s *Service) Hook(f func()) { s.hooks = append(s.hooks, f) }\n" +
			"func (s *Service) Pays(p Payer) { s.finish[\"a\"] = p.Finish }\n"),
			[]string{"a.go:6: external.Service keeps what Hook", "a.go:7: external.Service keeps what Pays"}},
		{"a callback of something else", plant("func (q *Queue) Does(f Finish) { q.do = f }\n"),
			[]string{"a.go:6: external.Queue keeps what Does"}},
		{"a callback of another package", map[string]string{
			"internal/points/external/a.go": head,
			"internal/worker/a.go": "package worker\nimport \"laurel.example/laurel/internal/points/external\"\ntype Loop struct{ f external.Finish }\n" +
				"func (l *Loop) Set(f external.Finish) { l.f = f }\n",
		}, []string{"a.go:4: worker.Loop keeps what Set"}},
		{"clean", plant("func New(f Finish) *Service { s := &Service{}; s.finish[\"a\"] = f; return s }\n" +
			"func (s *Service) keep(f Finish) { s.finish[\"a\"] = f }\n" +
			"func (s *Service) Pay(p Payer) { to := map[string]Finish{}; to[\"a\"] = p.Finish; s.finish[\"a\"]() }\n" +
			"func (q *Queue) Add(n int) { q.n = n }\n"), nil},
	})
}

func TestWiringRule(t *testing.T) {
	t.Parallel()
	wire := func(steps string) map[string]string {
		return map[string]string{
			"internal/app/a.go": "package app\nfunc (a *App) wire() error {\n" + steps + "\nreturn nil\n}\n",
			"internal/app/b.go": "package app\ntype App struct{}\nfunc (a *App) people() {}\nfunc (a *App) schema() error { return nil }\n",
		}
	}
	tryPlanted(t, wiringGoesDown, []planted{
		{"a method", wire("a.Ledger = ledger.New(ledger.Config{DB: a.db, People: a.people})"),
			[]string{"a.go:3: people is a method of the App"}},
		{"what a method makes", wire("a.Ledger = ledger.New(wrap(a.people()))"), []string{"a.go:3: people is a method of the App"}},
		{"a method under another name", wire("f := a.people\na.Ledger = ledger.New(f)"), []string{"a.go:3: people is a method"}},
		{"a function of the App", wire("a.Ledger = ledger.New(func() { a.Rules.Run() })"), []string{"a.go:3: a function of the App"}},
		{"the App", wire("a.Ledger = ledger.New(people(a))"), []string{"a.go:3: the App is handed out"}},
		{"too early", wire("a.Ledger = ledger.New(a.Rules)\na.Rules = rules.New()"), []string{"a.go:3: Rules is used before it is made"}},
		{"too late", wire("a.Ledger = ledger.New()\na.Ledger.People = people(a.db)"), []string{"a.go:4: People is set after construction"}},
		{"no wire", map[string]string{"internal/app/b.go": "package app\n"}, []string{"no method wire"}},
		{"clean", wire("if err := a.schema(); err != nil {\nreturn err\n}\na.Rules = rules.New(a.db, func() {})\n" +
			"a.Ledger = ledger.New(ledger.Config{People: people(a.db, a.Rules), Saved: saved, Quota: a.config.quota(), Now: a.db.Now})"), nil},
	})
}
