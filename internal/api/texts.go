package api

import (
	_ "embed"

	"laurel.example/laurel/internal/api/rest"
)

// The texts of the OpenAPI document: what its components, properties, parameters and tags mean, one line each, and
// calls that were recorded from a server.
var (
	//go:embed texts/schemas.txt
	schemaTexts string
	//go:embed texts/properties.txt
	propertyTexts string
	//go:embed texts/parameters.txt
	parameterTexts string
	//go:embed texts/tags.txt
	tagTexts string
	//go:embed texts/examples.json
	examples []byte
)

// documentTexts returns the texts of the OpenAPI document.
func documentTexts() rest.Texts {
	return rest.Texts{
		Schemas: schemaTexts, Properties: propertyTexts, Parameters: parameterTexts, Tags: tagTexts, Examples: examples,
	}
}
