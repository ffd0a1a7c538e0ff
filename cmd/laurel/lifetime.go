package main

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"time"
)

// lifetime is a duration that may begin with days, such as 30d, 12h or 1d12h; the rest is as time.ParseDuration reads
// it.
type lifetime time.Duration

const day = 24 * time.Hour

var (
	errLifetime  = errors.New("must be a duration such as 30d, 12h or 1d12h")
	lifetimeForm = regexp.MustCompile(`^(-?)(?:(\d{1,6})d)?([\d.hms]*)$`)
)

// UnmarshalText parses the value of a flag: days, a duration of package time, or both, such as 30d, 12h or 1d12h. A
// minus in front makes the whole value negative.
func (l *lifetime) UnmarshalText(text []byte) error {
	part := lifetimeForm.FindStringSubmatch(string(text)) // [1] is the minus, [2] the days, [3] the rest
	if len(part) == 0 || part[2]+part[3] == "" {
		return errLifetime
	}
	var days int64
	var rest time.Duration
	var err error
	if part[2] != "" {
		if days, err = strconv.ParseInt(part[2], 10, 64); err != nil {
			return errLifetime
		}
	}
	if part[3] != "" {
		if rest, err = time.ParseDuration(part[3]); err != nil {
			return errLifetime
		}
	}
	if time.Duration(days) > (math.MaxInt64-rest)/day {
		return errLifetime
	}
	*l = lifetime(time.Duration(days)*day + rest)
	if part[1] != "" {
		*l = -*l
	}
	return nil
}

// duration returns the duration; nil if the flag was not set.
func (l *lifetime) duration() *time.Duration { return (*time.Duration)(l) }
