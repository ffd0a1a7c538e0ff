// Command release packs the binaries that scripts/release.sh has built: for each an archive with the licence and the
// README, and a list of its modules; and one list of checksums. The same binaries give the same bytes.
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// defaultEpoch is the time of all files in archives unless SOURCE_DATE_EPOCH is set: the first that zip files know.
const defaultEpoch = 315532800 // 1980-01-01

func main() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == "--modules":
		err = printModules(os.Args[3], os.Args[2])
	case len(os.Args) == 3:
		err = pack(".", os.Args[2], os.Args[1], os.Getenv("SOURCE_DATE_EPOCH"))
	default:
		fmt.Fprintln(os.Stderr, "usage: release VERSION FOLDER, or release --modules VERSION BINARY")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// printModules prints the list of the modules of a binary, such as for an image.
func printModules(binary, version string) error {
	list, err := modulesOf(binary, version)
	if err == nil {
		_, err = os.Stdout.Write(list)
	}
	return err
}

// pack packs every binary in the folder build of a folder, with the licence and the README of the root.
func pack(root, folder, version, epoch string) error {
	seconds := int64(defaultEpoch)
	if epoch != "" {
		var err error
		if seconds, err = strconv.ParseInt(epoch, 10, 64); err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
	}
	modified := time.Unix(seconds, 0).UTC()
	builds, err := os.ReadDir(filepath.Join(folder, "build"))
	if err != nil {
		return err
	}
	if len(builds) == 0 {
		return errors.New("there is nothing to pack")
	}
	for _, build := range builds {
		if err := packOne(root, folder, build.Name(), version, modified); err != nil {
			return fmt.Errorf("%s: %w", build.Name(), err)
		}
	}
	return writeSums(folder)
}

// packOne packs one binary. name is that of its folder and of its archive: laurel_VERSION_OS_ARCH.
func packOne(root, folder, name, version string, modified time.Time) error {
	program, extension, write := "laurel", ".tar.gz", writeTar
	if strings.Contains(name, "_windows_") {
		program, extension, write = "laurel.exe", ".zip", writeZip
	}
	binary := filepath.Join(folder, "build", name, program)
	entries := make([]archived, 0, 3)
	for _, e := range []struct {
		name, path string
		mode       fs.FileMode
	}{
		{program, binary, 0o755},
		{"LICENSE", filepath.Join(root, "LICENSE"), 0o644},
		{"README.md", filepath.Join(root, "README.md"), 0o644},
	} {
		text, err := os.ReadFile(e.path)
		if err != nil {
			return err
		}
		entries = append(entries, archived{name + "/" + e.name, text, e.mode})
	}
	packed, err := write(entries, modified)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+extension), packed, 0o644); err != nil { //nolint:gosec // for all
		return err
	}
	list, err := modulesOf(binary, version)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".cdx.json"), list, 0o644) //nolint:gosec // for all
}

// writeSums writes SHA256SUMS over all files of the folder, in the form of sha256sum.
func writeSums(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, file := range files { // in order of their names
		if file.IsDir() || file.Name() == "SHA256SUMS" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(text), file.Name())
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(out.String()), 0o644) //nolint:gosec // for all
}
