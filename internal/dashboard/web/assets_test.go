package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"testing"

	"laurel.example/laurel/internal/admins"
)

func TestAssetsOfOthersAreThoseOfTheList(t *testing.T) {
	t.Parallel()
	var list struct {
		SHA256 map[string]string `json:"sha256"`
	}
	text, err := assetFiles.ReadFile("assets/vendor/vendor.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list.SHA256) < 5 {
		t.Fatal(len(list.SHA256), err)
	}
	for name, want := range list.SHA256 {
		body, err := assetFiles.ReadFile("assets/vendor/" + name)
		sum := sha256.Sum256(body)
		if err != nil || hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s is not what the list says: %v", name, err)
		}
	}
}

func TestAFirstVisitStaysSmall(t *testing.T) {
	t.Parallel()
	a, err := embeddedAssets()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range []string{"laurel.css", "laurel.js", "laurel.svg", "htmx.js", "icons.svg", "instrument-sans-latin.woff2"} {
		file := a.served[a.names[name]]
		if len(file.body) == 0 {
			t.Fatalf("%s is not served", name)
		}
		if size := len(file.compressed()); size > 0 {
			total += size
		} else {
			total += len(file.body)
		}
	}
	const budget, page = 150_000, 25_000 // bytes; page is what its HTML may take
	if total > budget-page {
		t.Errorf("the assets of a first visit take %d bytes", total)
	}
}

var colourPair = regexp.MustCompile(`--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)`)

// luminance is the relative luminance of a colour (WCAG 2.2).
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var out float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(colour, err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		out += weight * c
	}
	return out
}

// TestColoursKeepTheirContrast holds inks on the grounds that they are used on to WCAG 2.2 AA: texts 4.5 (1.4.3),
// borders of fields, focus and marks of charts 3 (1.4.11).
func TestColoursKeepTheirContrast(t *testing.T) {
	t.Parallel()
	css, err := assetFiles.ReadFile("assets/laurel.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := map[string][]string{}
	for _, m := range colourPair.FindAllStringSubmatch(string(css), -1) {
		colours[m[1]] = m[2:]
	}
	grounds := []string{"surface", "bg", "sunken", "hover", "raised"}
	type pair struct {
		inks, grounds []string
		least         float64
	}
	for _, p := range []pair{
		{[]string{"text", "text-2", "accent"}, grounds, 4.5},
		{[]string{"text-3"}, []string{"surface", "bg", "sunken", "raised"}, 4.5},
		{[]string{"ok", "warn", "bad", "gold"}, []string{"surface"}, 4.5},
		{[]string{"text", "text-2"}, []string{"ok-soft", "warn-soft", "bad-soft", "info-soft"}, 4.5},
		{[]string{"on-solid"}, []string{"solid", "solid-hover"}, 4.5},
		{[]string{"field"}, []string{"surface", "bg", "raised"}, 3},
		{[]string{"focus"}, []string{"surface", "bg", "sunken", "soft", "raised"}, 3},
		{[]string{"s1", "s2", "s3", "s4", "s5", "s6"}, []string{"surface"}, 3},
	} {
		for _, ink := range p.inks {
			for _, ground := range p.grounds {
				for theme := range 2 {
					if len(colours[ink]) == 0 || len(colours[ground]) == 0 {
						t.Fatalf("no colour %s or %s", ink, ground)
					}
					a, b := luminance(t, colours[ink][theme]), luminance(t, colours[ground][theme])
					if is := (max(a, b) + 0.05) / (min(a, b) + 0.05); is < p.least {
						t.Errorf("%s on %s is %.2f, needs %.1f", ink, ground, is, p.least)
					}
				}
			}
		}
	}
}

func TestRightsHaveWordsAndRolesHaveNames(t *testing.T) {
	t.Parallel()
	for role, name := range RoleNames {
		if name == "" || !admins.May(role, admins.SeeProgram) {
			t.Errorf("role %s, %q", role, name)
		}
	}
}
