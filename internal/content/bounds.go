package content

import "laurel.example/laurel"

// Bounds returns what the properties of a file accept, for the API's schema (contract 3.31).
func (CreateInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"fileName", "fileSize"},
		Keywords: map[string]laurel.Keywords{
			"fileName": {"minLength": 1, "maxLength": maxFileName, "description": "Ends with one of " + extensions},
			"fileSize": {"minimum": 1, "maximum": MaxSize},
			"filePath": {"enum": Paths()},
		},
	}
}
