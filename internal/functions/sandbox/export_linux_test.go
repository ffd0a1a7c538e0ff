package sandbox

// Confine is what a child does before it takes a job.
var Confine = confine

// Allowed are the numbers of calls that a child may make, some with certain arguments alone.
func Allowed() []uint32 {
	out := append([]uint32{}, allowedCalls...)
	for _, c := range conditionalCalls() {
		out = append(out, c.number)
	}
	return out
}
