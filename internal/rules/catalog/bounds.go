package catalog

import (
	"laurel"
	"laurel/internal/rules/schema"
)

// Bounds returns what the properties of a group of rules accept (contract 3.14).
func (GroupInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"name"},
		NotNull:  []string{"name", "isCollapsible", "isRequired", "sortId"},
		Keywords: map[string]laurel.Keywords{
			"name":     {"minLength": 1, "maxLength": schema.MaxName},
			"subTitle": {"maxLength": schema.MaxName},
			"subtitle": {"maxLength": schema.MaxName, "description": "Another spelling of subTitle"},
		},
	}
}
