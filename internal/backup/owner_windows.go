package backup

// owner is who owns a file. Windows gives what is restored to the owner that the folder's rights name.
type owner struct{}

// ownerOf returns nil: owners stay as they are.
func ownerOf(...string) *owner { return nil }

// give does nothing.
func (*owner) give(string) error { return nil }
