package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The collection's format is version 2.1 of
// https://schema.getpostman.com/json/collection/v2.1.0/docs/index.html.
type (
	collection struct {
		Info     collectionInfo       `json:"info"`
		Auth     collectionAuth       `json:"auth"`
		Variable []collectionVariable `json:"variable"`
		Item     []collectionFolder   `json:"item"`
	}
	collectionInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Schema      string `json:"schema"`
	}
	collectionAuth struct {
		Type   string               `json:"type"`
		APIKey []collectionVariable `json:"apikey"`
	}
	collectionVariable struct {
		Key         string `json:"key"`
		Value       string `json:"value"`
		Type        string `json:"type,omitempty"`
		Description string `json:"description,omitempty"`
		Disabled    bool   `json:"disabled,omitempty"`
	}
	collectionFolder struct {
		Name string           `json:"name"`
		Item []collectionItem `json:"item"`
	}
	collectionItem struct {
		Name    string            `json:"name"`
		Request collectionRequest `json:"request"`
	}
	collectionRequest struct {
		Method      string               `json:"method"`
		Description string               `json:"description,omitempty"`
		Header      []collectionVariable `json:"header"`
		URL         collectionURL        `json:"url"`
		Body        *collectionBody      `json:"body,omitempty"`
	}
	collectionURL struct {
		Raw      string               `json:"raw"`
		Host     []string             `json:"host"`
		Path     []string             `json:"path"`
		Query    []collectionVariable `json:"query,omitempty"`
		Variable []collectionVariable `json:"variable,omitempty"`
	}
	collectionBody struct {
		Mode    string         `json:"mode"`
		Raw     string         `json:"raw"`
		Options map[string]any `json:"options"`
	}
)

const collectionSchema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

// postmanCollection returns the collection: a folder for each tag, a request for each operation.
func postmanCollection(doc *document) ([]byte, error) {
	out := collection{
		Info: collectionInfo{
			Name:        doc.Info.Title,
			Description: "Set the variables baseUrl and apiKey of this collection. " + doc.Info.Description,
			Schema:      collectionSchema,
		},
		Auth: collectionAuth{Type: "apikey", APIKey: []collectionVariable{
			{Key: "key", Value: "X-API-KEY", Type: "string"},
			{Key: "value", Value: "{{apiKey}}", Type: "string"},
			{Key: "in", Value: "header", Type: "string"},
		}},
		Variable: []collectionVariable{
			{Key: "baseUrl", Value: "http://127.0.0.1:8080", Type: "string", Description: "The address of the server, without a slash at its end"},
			{Key: "apiKey", Value: "", Type: "string", Description: "A key of laurel init, laurel keys create or the dashboard"},
			{Key: "memberToken", Value: "", Type: "string", Description: "A token of POST /api/users/tokens, for calls with a client key"},
		},
	}
	for _, c := range doc.calls {
		tag := ""
		if len(c.Tags) > 0 {
			tag = strings.Join(wordsOf(c.Tags[0]), " ")
		}
		i := slices.IndexFunc(out.Item, func(f collectionFolder) bool { return f.Name == tag })
		if i < 0 {
			i, out.Item = len(out.Item), append(out.Item, collectionFolder{Name: tag})
		}
		item, err := collectionItemOf(c)
		if err != nil {
			return nil, err
		}
		out.Item[i].Item = append(out.Item[i].Item, item)
	}
	slices.SortFunc(out.Item, func(a, b collectionFolder) int { return strings.Compare(a.Name, b.Name) })
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(out)
	return b.Bytes(), err
}

func collectionItemOf(c call) (collectionItem, error) {
	r := collectionRequest{Method: c.method, Description: c.Description, Header: []collectionVariable{}}
	r.URL = collectionURL{Raw: "{{baseUrl}}" + c.path, Host: []string{"{{baseUrl}}"}}
	for _, segment := range strings.Split(strings.Trim(c.path, "/"), "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			segment = ":" + strings.TrimSuffix(name, "}")
			r.URL.Raw = strings.Replace(r.URL.Raw, "{"+name, segment, 1)
		}
		r.URL.Path = append(r.URL.Path, segment)
	}
	for _, p := range c.Parameters {
		v := collectionVariable{Key: p.Name, Description: p.Description, Disabled: !p.Required}
		if p.Example != nil {
			v.Value = fmt.Sprint(p.Example)
		}
		switch p.In {
		case "path":
			v.Disabled = false
			r.URL.Variable = append(r.URL.Variable, v)
		case "query":
			r.URL.Query = append(r.URL.Query, v)
		case "header":
			if p.Name == "Idempotency-Key" {
				v.Value = "{{$guid}}"
			}
			r.Header = append(r.Header, v)
		}
	}
	if slices.ContainsFunc(c.Security, func(need map[string][]string) bool { _, ok := need["memberToken"]; return ok }) {
		r.Header = append(r.Header, collectionVariable{
			Key: "Authorization", Value: "Bearer {{memberToken}}", Description: "With a client key: the member's token", Disabled: true,
		})
	}
	if c.RequestBody != nil {
		example := c.bodyExample()
		if example == nil {
			example = json.RawMessage("{}")
		}
		var text bytes.Buffer
		if err := json.Indent(&text, example, "", "  "); err != nil {
			return collectionItem{}, err
		}
		r.Header = append(r.Header, collectionVariable{Key: "Content-Type", Value: jsonMedia})
		r.Body = &collectionBody{Mode: "raw", Raw: text.String(), Options: map[string]any{"raw": map[string]any{"language": "json"}}}
	}
	return collectionItem{Name: c.Summary, Request: r}, nil
}
