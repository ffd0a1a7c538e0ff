package widget_test

import (
	"regexp"
	"testing"

	"laurel.example/laurel/internal/widget"
)

func TestTheScriptIsSmallAndWritesNoMarkup(t *testing.T) {
	t.Parallel()
	const limit = 15_000
	if len(widget.Script) > limit {
		t.Errorf("the script has %d bytes, the limit is %d", len(widget.Script), limit)
	}
	markup := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|style=|cssText`)
	if found := markup.Find(widget.Script); found != nil {
		t.Errorf("the script has %q: texts of members must not become markup", found)
	}
}
