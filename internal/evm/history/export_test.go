package history

// KeepAtMost sets how many events of a series Read leaves as they are.
func (r *Reader) KeepAtMost(n int) { r.most = n }
