package vault

import "laurel"

// SealedColumns names the columns of a table that hold sealed texts, for whoever moves all of them to another key. The
// owner of the table tells them.
type SealedColumns struct {
	Table   string
	ID      string   // the column that tells the rows apart
	PlaceID string   // the column of the id that places are named by
	Columns []string // one or two
	Where   string   // which rows may hold such texts
	// Reseal returns a text of a row with everything in it moved that is sealed.
	Reseal func(of laurel.ID, text string, move Resealer) (string, error)
}

// Resealer returns the sealed text of a place as it is to be from now on. A text that was never sealed is given as
// plain.
type Resealer func(text string, plain bool, place string) (string, error)
