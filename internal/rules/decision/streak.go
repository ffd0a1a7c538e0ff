package decision

import "time"

// Streak is how many windows in a row the member, or its group, has checked in.
type Streak struct {
	Count int64
	At    time.Time // of the last check-in; zero: there was none
}
