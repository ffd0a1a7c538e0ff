package platforms

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
)

// valueAt returns the value at a dotted path of a JSON text, such as data.0.name; nil if there is none. Numbers in the
// path are places in arrays, counted from 0. The empty path stands for the whole.
func valueAt(text json.RawMessage, path string) json.RawMessage {
	value := bytes.TrimSpace(text)
	if path == "" {
		return value
	}
	for step := range strings.SplitSeq(path, ".") {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		switch {
		case json.Unmarshal(value, &object) == nil && object != nil:
			value = object[step]
		case json.Unmarshal(value, &list) == nil:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(list) {
				return nil
			}
			value = list[i]
		default:
			return nil
		}
	}
	return bytes.TrimSpace(value)
}

// textOf returns a text or number as a text; "" for other values.
func textOf(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(value, &n) == nil {
		return n.String()
	}
	return ""
}

// isTruthy reports whether a value counts as yes: everything but null, false, 0, and empty texts, arrays and objects.
func isTruthy(value json.RawMessage) bool {
	switch string(value) {
	case "", "null", "false", "0", "0.0", `""`, "[]", "{}":
		return false
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil {
		return len(list) > 0
	}
	return true
}

// findingOf reads the value of a check: truthy, a number, a text, or a post {id, authorId, text, createdAt, hasMedia}
// (contract 8.8).
func findingOf(value json.RawMessage) Finding {
	f := Finding{Found: isTruthy(value)}
	if !f.Found && string(value) != "0" {
		return f
	}
	var number laurel.Amount
	if json.Unmarshal(value, &number) == nil && number >= 0 { // also a text that holds a number
		f.Value, f.Found = &number, number > 0
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		f.Text = &text
	}
	var post struct {
		ID, AuthorID, CreatedAt json.RawMessage
		Text                    *string
		HasMedia                bool
	}
	if json.Unmarshal(value, &post) == nil && textOf(post.ID) != "" {
		f.Post = &Post{
			ID: textOf(post.ID), AuthorID: textOf(post.AuthorID), CreatedAt: timeOf(post.CreatedAt), HasMedia: post.HasMedia,
		}
		if post.Text != nil {
			f.Post.Text = *post.Text
		}
	}
	return f
}

// timeOf reads a moment: RFC 3339, or Unix seconds; the zero time for other values.
func timeOf(value json.RawMessage) time.Time {
	var at time.Time
	if json.Unmarshal(value, &at) == nil {
		return at.UTC()
	}
	seconds, err := strconv.ParseFloat(textOf(value), 64)
	if err != nil || seconds <= 0 || seconds > 1<<40 {
		return time.Time{}
	}
	return time.UnixMilli(int64(seconds * 1000)).UTC()
}
