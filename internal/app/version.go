package app

import "runtime/debug"

// Version returns the release, or the commit of a build between releases, and the version of Go.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "laurel, built without its version"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	release := info.Main.Version
	if revision := settings["vcs.revision"]; revision != "" && (release == "" || release == "(devel)") {
		release = revision
	}
	return "laurel " + release + " " + info.GoVersion
}
