package api_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"laurel.example/laurel/internal/api"
	"laurel.example/laurel/internal/api/auctions"
	"laurel.example/laurel/internal/api/badges"
	"laurel.example/laurel/internal/api/claims"
	"laurel.example/laurel/internal/api/commerce"
	"laurel.example/laurel/internal/api/connections"
	"laurel.example/laurel/internal/api/functions"
	"laurel.example/laurel/internal/api/minting"
	"laurel.example/laurel/internal/api/pages"
	"laurel.example/laurel/internal/api/people"
	"laurel.example/laurel/internal/api/points"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/api/rules"
	"laurel.example/laurel/internal/api/subscriptions"
	"laurel.example/laurel/internal/api/websites"
)

func TestEveryOperationOfAFamilyHasARoute(t *testing.T) {
	t.Parallel()
	text, err := api.Document()
	must(t, err)
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	must(t, json.Unmarshal(text, &doc))
	routes := 0
	for _, item := range doc.Paths {
		routes += len(item)
	}
	handlers := 0
	families := []any{
		rules.Operations{}, points.Operations{}, people.Operations{}, websites.Operations{}, functions.Operations{},
		subscriptions.Operations{}, badges.Operations{}, pages.Operations{}, commerce.Operations{},
		minting.Operations{}, auctions.Operations{}, claims.Operations{}, connections.Operations{},
	}
	for _, family := range families {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(family)) {
			if f.Type == reflect.TypeFor[rest.OperationHandler]() {
				handlers++
			}
		}
	}
	if routes != handlers {
		t.Errorf("the families have %d handlers, and %d routes lead to them", handlers, routes)
	}
}
