// Package widget holds the script of <laurel-widget>, a custom element with which pages show a member's points, quests,
// badges and the leaderboard. The script calls the API as any page does, with a client key and a member token.
package widget

import _ "embed" // the script is a file

// Script is the JavaScript of the element, as /widget.js serves it.
//
//go:embed widget.js
var Script []byte
