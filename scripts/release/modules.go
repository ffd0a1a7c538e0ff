package main

import (
	"debug/buildinfo"
	"encoding/json"
	"net/url"
	"strings"
)

// component is a component of a CycloneDX document.
type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

// document is a CycloneDX document, version 1.6. It has no time and no number of its own, so that it can be reproduced.
type document struct {
	Schema      string `json:"$schema"`
	Format      string `json:"bomFormat"`
	SpecVersion string `json:"specVersion"`
	Version     int    `json:"version"`
	Metadata    struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

// dependency says what a component is linked with.
type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// modulesOf returns the list of the modules that are linked into a binary, as its own build information names them.
func modulesOf(binary, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	d := document{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
	}
	d.Metadata.Component = newComponent("application", info.Main.Path, version)
	d.Components = append(d.Components, newComponent("library", "std", strings.TrimPrefix(info.GoVersion, "go")))
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		d.Components = append(d.Components, newComponent("library", m.Path, m.Version))
	}
	of := dependency{Ref: d.Metadata.Component.Ref}
	for _, c := range d.Components {
		of.DependsOn = append(of.DependsOn, c.Ref)
	}
	d.Dependencies = []dependency{of}
	out, err := json.MarshalIndent(d, "", "  ")
	return append(out, '\n'), err
}

// newComponent returns a Go module as a component.
func newComponent(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + url.PathEscape(version)
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}
