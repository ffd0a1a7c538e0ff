package account

import (
	"strings"
	"testing"
)

func TestSessionsAreNamedByBrowserAndSystem(t *testing.T) {
	t.Parallel()
	for figure, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0":                                               "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Safari/537.36 Edg/138":  "Edge on Windows",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36":        "Chromium on Linux",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18 Safari/6":  "Safari on iOS",
		"Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138 Mobile Safari/604.1": "Chrome on iPadOS",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18 Safari/605.1":     "Safari on macOS",
		"Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130 Mobile Safari/537.36":            "Chromium on Android",
		"curl/8.14.1":                         "curl",
		"":                                    "Unknown browser",
		"Reader <b>":                          "Reader <b>",
		strings.Repeat("ü", maxAgentLength+1): strings.Repeat("ü", maxAgentLength) + "…",
	} {
		if got := agentName(figure); got != want {
			t.Errorf("%s is named %s, want %s", figure, got, want)
		}
	}
}
