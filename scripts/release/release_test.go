package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newBuilds returns a folder with the binary of this test in the place of two builds, and a root with the other files.
func newBuilds(t *testing.T) (root, folder string) {
	t.Helper()
	root, folder = t.TempDir(), t.TempDir()
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{
		filepath.Join(root, "LICENSE"):                                             []byte("a licence"),
		filepath.Join(root, "README.md"):                                           []byte("a README"),
		filepath.Join(folder, "build", "laurel_1.2.3_linux_arm64", "laurel"):       program,
		filepath.Join(folder, "build", "laurel_1.2.3_windows_amd64", "laurel.exe"): program,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := pack(root, folder, "1.2.3", ""); err != nil {
		t.Fatal(err)
	}
	return root, folder
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestTheSameBinariesGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	_, a := newBuilds(t)
	_, b := newBuilds(t)
	sums := read(t, a, "SHA256SUMS")
	if !bytes.Equal(sums, read(t, b, "SHA256SUMS")) {
		t.Errorf("%s\n%s", sums, read(t, b, "SHA256SUMS"))
	}
	for _, name := range []string{
		"laurel_1.2.3_linux_arm64.tar.gz", "laurel_1.2.3_linux_arm64.cdx.json",
		"laurel_1.2.3_windows_amd64.zip", "laurel_1.2.3_windows_amd64.cdx.json",
	} {
		if !bytes.Contains(sums, []byte("  "+name+"\n")) {
			t.Errorf("no %s in\n%s", name, sums)
		}
	}
	if _, err := exec.LookPath("sha256sum"); err == nil {
		check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
		check.Dir = a
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
}

func TestArchivesHoldTheProgramTheLicenceAndTheREADME(t *testing.T) {
	t.Parallel()
	_, folder := newBuilds(t)
	compressed, err := gzip.NewReader(bytes.NewReader(read(t, folder, "laurel_1.2.3_linux_arm64.tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for in := tar.NewReader(compressed); ; {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Uname != "" || h.ModTime.Unix() != defaultEpoch {
			t.Errorf("%+v", h)
		}
		names = append(names, h.FileInfo().Mode().String()+" "+h.Name)
	}
	want := "-rwxr-xr-x laurel_1.2.3_linux_arm64/laurel,-rw-r--r-- laurel_1.2.3_linux_arm64/LICENSE,-rw-r--r-- laurel_1.2.3_linux_arm64/README.md"
	if got := strings.Join(names, ","); got != want {
		t.Errorf("%s", got)
	}
	packed := read(t, folder, "laurel_1.2.3_windows_amd64.zip")
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	names = nil
	for _, f := range z.File {
		names = append(names, f.Name)
		if f.Modified.Unix() != defaultEpoch {
			t.Errorf("%s of %s", f.Name, f.Modified)
		}
	}
	want = "laurel_1.2.3_windows_amd64/laurel.exe,laurel_1.2.3_windows_amd64/LICENSE,laurel_1.2.3_windows_amd64/README.md"
	if got := strings.Join(names, ","); got != want {
		t.Errorf("%s", got)
	}
}

func TestTheListOfModulesNamesTheProgramAndItsGo(t *testing.T) {
	t.Parallel()
	_, folder := newBuilds(t)
	var d document
	if err := json.Unmarshal(read(t, folder, "laurel_1.2.3_linux_arm64.cdx.json"), &d); err != nil {
		t.Fatal(err)
	}
	if d.Format != "CycloneDX" || d.SpecVersion != "1.6" || d.Metadata.Component.Version != "1.2.3" {
		t.Errorf("%+v", d)
	}
	if len(d.Components) == 0 || d.Components[0].Name != "std" || !strings.HasPrefix(d.Components[0].PURL, "pkg:golang/std@1.") {
		t.Errorf("%+v", d.Components)
	}
	if len(d.Dependencies) != 1 || len(d.Dependencies[0].DependsOn) != len(d.Components) {
		t.Errorf("%+v", d.Dependencies)
	}
}

func TestNothingToPackIsAnError(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "build"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := pack(folder, folder, "1", ""); err == nil {
		t.Error("no error")
	}
	_, folder = newBuilds(t)
	if err := pack(folder, folder, "1", "yesterday"); err == nil || !strings.Contains(err.Error(), "SOURCE_DATE_EPOCH") {
		t.Errorf("%v", err)
	}
}
