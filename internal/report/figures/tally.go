package figures

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// tenant is the website that a figure belongs to.
type tenant struct{ organization, website laurel.ID }

// figureKey identifies a figure.
type figureKey struct {
	tenant
	name    string
	subject laurel.ID
	day     int64
	detail  string
}

func (k figureKey) compare(other figureKey) int {
	return cmp.Or(
		k.website.Compare(other.website), cmp.Compare(k.name, other.name), k.subject.Compare(other.subject),
		cmp.Compare(k.day, other.day), cmp.Compare(k.detail, other.detail),
	)
}

// member is a user on a website.
type member struct {
	tenant
	user laurel.ID
}

// tally adds up the values of a batch by figure, before they are added to the stored figures.
type tally struct {
	sums map[figureKey]int64
	days map[member]map[int64]bool // days on which members were active
}

func newTally() *tally { return &tally{map[figureKey]int64{}, map[member]map[int64]bool{}} }

// maxFigure bounds a figure: no website issues as much in a day, and a larger sum must not stop the consumer.
const maxFigure = 9_000_000_000_000_000_000

// add adds a value to a figure. The sum is maxFigure at most.
func (t *tally) add(k figureKey, value int64) {
	if sum := t.sums[k]; value > maxFigure-sum {
		t.sums[k] = maxFigure
	} else {
		t.sums[k] = sum + value
	}
}

// addActive records that a member was active on a day. It does nothing for the zero user.
func (t *tally) addActive(m member, day int64) {
	if m.user.IsZero() {
		return
	}
	if t.days[m] == nil {
		t.days[m] = map[int64]bool{}
	}
	t.days[m][day] = true
}

// countMembers reads the last active days of the members that were active in the batch, adds these members to the
// figures, and returns the last active days that have changed.
func (t *tally) countMembers(ctx context.Context, q store.Queryer) (map[member]int64, error) {
	users := make([]laurel.ID, 0, len(t.days))
	for m := range t.days {
		users = append(users, m.user)
	}
	slices.SortFunc(users, laurel.ID.Compare)
	last := map[member]int64{}
	for chunk := range slices.Chunk(slices.Compact(users), maxRowsPerStatement) {
		if err := selectDays(ctx, q, chunk, last); err != nil {
			return nil, err
		}
	}
	changed := map[member]int64{}
	for m, days := range t.days {
		for _, day := range slices.Sorted(maps.Keys(days)) {
			before, hasLast := last[m]
			if hasLast && day <= before {
				continue // counted already, or the change came late: then the later day counts for both
			}
			t.countActive(m, day, before, hasLast)
			last[m], changed[m] = day, day
		}
	}
	return changed, nil
}

// countActive counts a member that is active on a day. before is its last active day, if hasLast is true.
//
// A member is counted as active within n days from the day of activity on, for n days. If it is still counted for an
// earlier activity, it is counted anew from the day on which that ends. The figure stores the daily change: +1 on the
// day on which a member begins to be counted, -1 on the day on which that ends. The sum of the changes up to a day is
// the number of distinct members within the n days that end with it.
func (t *tally) countActive(m member, day, before int64, hasLast bool) {
	t.sums[figureKey{m.tenant, figureActive, m.website, day, ""}]++
	for _, n := range Spans {
		begin := day
		if hasLast {
			begin = max(begin, before+int64(n))
		}
		t.sums[figureKey{m.tenant, activeWithinFigure(n), m.website, begin, ""}]++
		t.sums[figureKey{m.tenant, activeWithinFigure(n), m.website, day + int64(n), ""}]--
	}
}

// writeSums adds the sums to the stored figures, in the order of their keys, since others may write at the same time.
func (t *tally) writeSums(ctx context.Context, tx *store.Tx) error {
	rows := make([][]any, 0, len(t.sums))
	for _, k := range slices.SortedFunc(maps.Keys(t.sums), figureKey.compare) {
		if value := t.sums[k]; value != 0 {
			rows = append(rows, []any{k.website, k.name, k.subject, k.day, k.detail, k.organization, value})
		}
	}
	return addFigures(ctx, tx, rows)
}

func (m member) compare(other member) int {
	return cmp.Or(m.user.Compare(other.user), m.website.Compare(other.website))
}
