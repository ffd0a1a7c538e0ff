// Command clients writes the clients of the API and the Postman collection from openapi.json: clients/go,
// clients/typescript and docs/laurel.postman_collection.json. It writes types and operations only; what sends requests
// stands beside them, written by hand. make clients runs it in the root of the repository.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

const source = "openapi.json"

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

// run reads openapi.json in the folder and writes the files that come of it.
func run(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, source)) //nolint:gosec // a file of the repository
	if err != nil {
		return err
	}
	files, err := generate(text)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil { //nolint:gosec // files of the repository
			return err
		}
	}
	return nil
}

// generate returns the generated files by their paths in the repository. It fails if two operations would have the
// same name, or a schema a name that the client has already.
func generate(text []byte) (map[string][]byte, error) {
	doc, err := parseDocument(text)
	if err != nil {
		return nil, err
	}
	m, err := newModel(doc)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"clients/typescript/src/types.ts": typeScriptTypes(m),
		"clients/typescript/src/api.ts":   typeScriptOperations(m),
	}
	if files["clients/go/types.go"], err = goTypes(m); err != nil {
		return nil, err
	}
	if files["clients/go/operations.go"], err = goOperations(m); err != nil {
		return nil, err
	}
	files["docs/laurel.postman_collection.json"], err = postmanCollection(doc)
	return files, err
}
