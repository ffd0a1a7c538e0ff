package vault

import "laurel.example/laurel"

// SealedColumns describes the columns of a table that hold sealed texts, so that all of them can be sealed with
// another key. The owner of the table declares it.
type SealedColumns struct {
	Table   string
	ID      string   // the column of the primary key
	PlaceID string   // the column of the id in the texts' places
	Columns []string // one or two
	Where   string   // condition of rows that may have sealed texts
	// Reseal returns a column's text with every sealed text in it resealed.
	Reseal func(of laurel.ID, text string, move Resealer) (string, error)
}

// Resealer seals a text of a place with the present key. plain says that the text is not sealed yet.
type Resealer func(text string, plain bool, place string) (string, error)
