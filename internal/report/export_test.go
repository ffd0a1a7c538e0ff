package report

// What the plans of the lists are made from, for plans_test.go.
const (
	SelectStatus = selectStatus
	Remembered   = remembered
	Newest       = newest
)

// Clicked are the items of the jobs that wait, and of those that ended.
var Clicked = []string{clicked(waiting), clicked(ended)}
