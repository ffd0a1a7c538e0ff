package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/worker"
)

var (
	functionLimit  = limit{floor: 5, goal: 2, lowerIsBetter: true}
	functionsLimit = limit{floor: 400, goal: 800}
)

const benchedFunction = `module.exports.handler = async (input, output) => {
	const total = input.items.reduce((sum, item) => sum + item.price * item.count, 0);
	output.setResult({ user: input.user, total });
	return output.buildOutput();
};`

// measureFunctions measures warm runs of a function in the sandbox, each in a fresh JavaScript machine: one after the
// other, and as many at once as there are child processes.
func (b *bench) measureFunctions(ctx context.Context) ([]Result, error) {
	children := max(2, runtime.NumCPU())
	s := sandbox.New(sandbox.Options{Command: []string{b.Program, sandbox.ChildArgument}, Children: children})
	defer s.Close()
	input := json.RawMessage(`{"user":"alice","items":[{"price":2.5,"count":4},{"price":1,"count":7}]}`)
	runs := func(workers int) (measured, error) {
		next := byte(0)
		return load{workers: workers, duration: b.Time, worker: func(context.Context) (func() error, func(), error) {
			next++ // each worker has a website of its own, since no website may use every child
			tenant := worker.Tenant{Organization: laurel.ID{next}, Website: laurel.ID{next}}
			call := sandbox.Call{Tenant: tenant, Code: benchedFunction, Input: input}
			return func() error {
				r, err := s.Run(ctx, call)
				if err == nil && r.Failed() {
					err = errors.New(r.Error)
				}
				return err
			}, func() {}, nil
		}}.run(ctx)
	}
	one, err := runs(1)
	if err != nil {
		return nil, err
	}
	all, err := runs(children)
	if err != nil {
		return nil, err
	}
	const name = "warm run of a function in the sandbox"
	return []Result{
		b.result(functionLimit.newResult(name+", c1", milliseconds(one.p50), one), "ms, the median"),
		b.result(functionsLimit.newResult(fmt.Sprintf("%s, c%d", name, children), all.perSecond, all), "runs a second"),
	}, nil
}
