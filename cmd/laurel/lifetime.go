package main

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"time"
)

// lifetime is a length of time in days and what time.ParseDuration reads: 30d, 12h, 1d12h.
type lifetime time.Duration

const day = 24 * time.Hour

var (
	errLifetime  = errors.New("must be a duration such as 30d, 12h or 1d12h")
	lifetimeForm = regexp.MustCompile(`^(-?)(?:(\d{1,6})d)?([\d.hms]*)$`)
)

// UnmarshalText reads a flag.
func (l *lifetime) UnmarshalText(text []byte) error {
	part := lifetimeForm.FindStringSubmatch(string(text))
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

// ptr returns the time; nil where the flag was not given.
func (l *lifetime) ptr() *time.Duration { return (*time.Duration)(l) }
