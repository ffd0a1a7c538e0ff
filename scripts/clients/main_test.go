package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheClientsInTheRepositoryAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	files, err := generate([]byte(read(t, source)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got := read(t, name); got != string(want) {
			t.Errorf("%s is not what openapi.json gives: run make clients", name)
		}
	}
}

// Examples stand in files that the tests of each client run. A page shows parts of them.
func TestTheExamplesOfThePagesAreRun(t *testing.T) {
	t.Parallel()
	blocks := regexp.MustCompile("(?s)```(?:go|ts)\n(.*?)```")
	indent := regexp.MustCompile(`(?m)^[ \t]+`)
	for page, file := range map[string]string{
		"clients/go/README.md":         "clients/go/shop_test.go",
		"clients/typescript/README.md": "scripts/client/shop.ts",
	} {
		code := indent.ReplaceAllString(read(t, file), "")
		found := blocks.FindAllStringSubmatch(read(t, page), -1)
		if len(found) < 5 {
			t.Errorf("%s has %d examples", page, len(found))
		}
		for _, block := range found {
			if !strings.Contains(code, indent.ReplaceAllString(block[1], "")) {
				t.Errorf("%s does not run this example of %s:\n%s", file, page, block[1])
			}
		}
	}
}

const small = `{
  "info": {"title": "Small API", "description": "One."},
  "paths": {
    "/api/loyalty/pets": {
      "get": {"operationId": "getLoyaltyPets", "summary": "List pets", "tags": ["loyalty pets"],
        "parameters": [{"name": "startingAfter", "in": "query", "schema": {"type": "string", "format": "uuid"}}],
        "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ListPet"}}}}}},
      "post": {"operationId": "postLoyaltyPets", "summary": "Create a pet", "tags": ["loyalty pets"],
        "parameters": [{"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}],
        "requestBody": {"required": true, "content": {"application/json": {
          "schema": {"$ref": "#/components/schemas/CreatePetBody"}, "example": {"kind": "cat"}}}},
        "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}}
    },
    "/api/loyalty/pets/{id}/walk": {
      "post": {"operationId": "postLoyaltyPetsIdWalk", "summary": "Walk a pet", "tags": ["loyalty pets"],
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
        "responses": {"204": {}}}
    }
  },
  "components": {"schemas": {
    "ListPet": {"type": "object", "required": ["data", "hasNextPage"], "properties": {
      "data": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}, "hasNextPage": {"type": "boolean"}}},
    "Pet": {"type": "object", "required": ["id", "weight"], "properties": {
      "id": {"type": "string", "format": "uuid"}, "weight": {"type": "number", "format": "decimal"},
      "toy": {"$ref": "#/components/schemas/Toy"}, "home": {"type": "object", "properties": {"roomId": {"type": ["string", "null"]}}}}},
    "CreatePetBody": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
      "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"}}},
    "Toy": {"type": "object", "properties": {"name": {"type": "string"}, "metadata": {"$ref": "#/components/schemas/ToyMetadata"}},
      "allOf": [{"$ref": "#/components/schemas/CreatePetBody"}]},
    "ToyMetadata": {"type": "object", "properties": {"colour": {"type": "string"}}},
    "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "cat", "type": "string"}, "lives": {"type": "integer"}}},
    "Dog": {"allOf": [{"$ref": "#/components/schemas/Named"}, {"type": "object", "properties": {
      "weight": {"oneOf": [{"type": "number", "format": "decimal"}, {"type": "string", "format": "decimal"}, {"type": "null"}]}}}]},
    "Named": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "description": "Of the pet"}}}
  }}
}`

func TestUnionsPagesAndDecimalsAreTyped(t *testing.T) {
	t.Parallel()
	files, err := generate([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"clients/go/types.go": {
			"type CreatePetBody struct {\n\tCat *Cat\n\tDog *Dog\n\tRaw json.RawMessage", "case \"dog\":\n\t\tu.Dog = new(Dog)",
			"Weight Optional[Decimal] `json:\"weight,omitzero\"`", "// Of the pet\n\tName string", "Weight Decimal  `json:\"weight\"`",
			"Metadata map[string]any `json:\"metadata\"`", "type PetHome struct {\n\tRoomID *string", "Kind  string          `json:\"kind\"`",
		},
		"clients/go/operations.go": {
			"func (a PetsAPI) All(ctx context.Context, params PetsListParams, options ...Option) iter.Seq2[Pet, error]",
			"func (a PetsAPI) Create(ctx context.Context, body CreatePetBody, options ...Option) (*Pet, error)", "isKeyed: true",
			"func (a PetsAPI) Walk(ctx context.Context, id string, options ...Option) error",
		},
		"clients/typescript/src/types.ts": {
			"export type Toy = {\n  metadata?: Record<string, unknown> & ToyMetadata;\n  name?: string;\n} & CreatePetBody;",
			"export type CreatePetBody =\n  | Cat\n  | (Dog & { kind: \"dog\" });", "kind: \"cat\";", "weight: Decimal;",
			"weight?: Decimal | number | null | undefined;", "ListPet: { data: \"Pet\" },\n  Pet: { weight: \"#\" },",
		},
		"clients/typescript/src/api.ts": {
			"all(params: PetsListParams = {}, options?: Options): AsyncGenerator<types.Pet, void, undefined>",
			"walk(id: string, options?: Options): Promise<void>", `path: "/api/loyalty/pets/{id}/walk", ids: [id]`,
		},
		"docs/laurel.postman_collection.json": {
			`"name": "loyalty pets"`, `"raw": "{{baseUrl}}/api/loyalty/pets/:id/walk"`, `"raw": "{\n  \"kind\": \"cat\"\n}"`,
		},
	} {
		for _, want := range wants {
			if !strings.Contains(squeeze(string(files[name])), squeeze(want)) {
				t.Errorf("%s lacks\n%s\n%s", name, want, files[name])
			}
		}
	}
}

// squeeze returns a text with one space between words, as gofmt aligns them.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestUnionsWithoutADiscriminatorAreToldApartByWhatTheyList: each object lists values of one property for itself.
func TestUnionsWithoutADiscriminatorAreToldApartByWhatTheyList(t *testing.T) {
	t.Parallel()
	text := strings.Replace(small, `,
      "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"}}`, "", 1)
	text = strings.Replace(text, `{"const": "cat", "type": "string"}`, `{"enum": ["cat", "kitten"], "type": "string"}`, 1)
	text = strings.Replace(text, `"Dog": {`, `"Dog": {"type": "object", "properties": {"kind": {"enum": ["dog"], "type": "string"}}}, "Hound": {`, 1)
	files, err := generate([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`case "cat", "kitten":`, `case "dog":`} {
		if !strings.Contains(string(files["clients/go/types.go"]), want) {
			t.Errorf("types.go has no %s", want)
		}
	}
}

func TestNamesThatClashAreRefused(t *testing.T) {
	t.Parallel()
	twice := strings.Replace(small, `"/api/loyalty/pets/{id}/walk"`, `"/api/loyalty/pets/walk"`, 1)
	twice = strings.Replace(twice, `"components": {"schemas"`, `"x": {}, "components": {"schemas"`, 1)
	twice = strings.Replace(twice, `"/api/loyalty/pets/walk": {`, `"/api/loyalty/pets/{id}/walk": {"post": {"operationId": "other",
	  "tags": ["loyalty pets"], "responses": {}}}, "/api/loyalty/pets/walk": {`, 1)
	if _, err := generate([]byte(twice)); err == nil || !strings.Contains(err.Error(), "are both pets.walk") {
		t.Errorf("two operations with one name: %v", err)
	}
	same := strings.ReplaceAll(strings.ReplaceAll(small, "ToyMetadata", "Input"), "Named", "ConditionInput")
	if _, err := generate([]byte(same)); err == nil || !strings.Contains(err.Error(), "ConditionInput and Input are both ConditionInput") {
		t.Errorf("two schemas with one name: %v", err)
	}
	taken := strings.ReplaceAll(small, `Named`, `Optional`)
	taken = strings.Replace(taken, `"Pet": {"type"`, `"x": {"$ref": "#/components/schemas/Optional"}, "Pet": {"type"`, 1)
	taken = strings.Replace(taken, `"home": {`, `"tag": {"$ref": "#/components/schemas/Optional"}, "home": {`, 1)
	if _, err := generate([]byte(taken)); err == nil || !strings.Contains(err.Error(), "Optional") {
		t.Errorf("a schema with a name of the client: %v", err)
	}
}
