package decision

import "time"

// Streak is the number of windows in a row in which the member, or its group, has checked in.
type Streak struct {
	Count int64
	At    time.Time // when the last check-in was; zero: none
}
