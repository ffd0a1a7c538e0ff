//go:build race

package app_test

// underRace tells that the race detector is on, which makes everything several times slower.
const underRace = true
