package web

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Licence is the licence of a third-party package in the dashboard.
type Licence struct {
	Package, Version, Licence, Text string
}

// ID returns the anchor of the licence in the page.
func (l Licence) ID() string { return path.Base(l.Package) }

// vendorDir is the folder of third-party packages among the assets.
const vendorDir = "assets/vendor/"

// readLicences returns the licences of the packages in vendor.json, with their texts, sorted by package. It fails if a
// text is missing.
func readLicences() ([]Licence, error) {
	text, err := assetFiles.ReadFile(vendorDir + "vendor.json")
	if err != nil {
		return nil, err
	}
	var list struct {
		Packages []struct {
			Name    string            `json:"name"`
			Version string            `json:"version"`
			Licence string            `json:"licence"`
			Files   map[string]string `json:"files"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("vendor.json: %w", err)
	}
	var out []Licence
	for _, vendored := range list.Packages {
		entry := Licence{Package: vendored.Name, Version: vendored.Version, Licence: vendored.Licence}
		for _, file := range vendored.Files {
			if !strings.HasPrefix(file, "licences/") {
				continue
			}
			body, err := assetFiles.ReadFile(vendorDir + file)
			if err != nil {
				return nil, err
			}
			entry.Text = string(body)
		}
		if entry.Text == "" {
			return nil, fmt.Errorf("vendor.json: %s has no text of its licence", vendored.Name)
		}
		out = append(out, entry)
	}
	slices.SortFunc(out, func(a, b Licence) int { return strings.Compare(a.ID(), b.ID()) })
	return out, nil
}
