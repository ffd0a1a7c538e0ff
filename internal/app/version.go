package app

import "runtime/debug"

// release is the version of a release. scripts/release.sh sets it when it links the binary.
var release string

// Version returns the release, or the commit of a build between releases, and the version of Go.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if ok && release != "" {
		return "laurel " + release + " " + info.GoVersion
	}
	if !ok {
		return "laurel, built without its version"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	version := info.Main.Version
	if revision := settings["vcs.revision"]; revision != "" && (version == "" || version == "(devel)") {
		version = revision
	}
	return "laurel " + version + " " + info.GoVersion
}
