package backup_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel.example/laurel/internal/backup"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// entry is one entry of a backup.
type entry struct {
	name string
	text []byte
}

// newBackup makes a database with the newest schema, and a backup of it.
func newBackup(t *testing.T, change func(db *store.DB)) (path string, entries []entry) {
	t.Helper()
	dir := t.TempDir()
	db := storetest.Open(t, "sqlite:"+filepath.Join(dir, "a.db"), nil)
	if change != nil {
		change(db)
	}
	path = filepath.Join(dir, "a.tar")
	from := backup.Source{DB: db, Folder: dir, Files: backup.FilesIncluded, Version: "laurel test", Logger: slog.Default()}
	if _, err := backup.Write(t.Context(), from, path, false); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for in := tar.NewReader(file); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return path, entries
		}
		text, err2 := io.ReadAll(in)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry{h.Name, text})
	}
}

// pack writes entries to a tar file.
func pack(t *testing.T, entries []entry) string {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.text)), Mode: 0o600})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.text); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "changed.tar")
	if err := errors.Join(w.Close(), os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// refused demands that a restore fails with the words, and leaves nothing.
func refused(t *testing.T, path string, words ...string) error {
	t.Helper()
	dir := t.TempDir()
	_, err := backup.Restore(t.Context(), path, backup.Target{
		Database: filepath.Join(dir, "new.db"), Folder: filepath.Join(dir, "data"), Logger: slog.Default(),
	})
	if err == nil {
		t.Fatal("it was restored")
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in %q", word, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new.db")); err == nil {
		t.Error("a database was restored")
	}
	for _, pattern := range []string{".*", "*/.*"} {
		if left, err := filepath.Glob(filepath.Join(dir, pattern)); err != nil || len(left) > 0 {
			t.Errorf("left %v %v", left, err)
		}
	}
	return err
}

func TestABackupThatWasCutOffOrChangedIsRefused(t *testing.T) {
	t.Parallel()
	path, entries := newBackup(t, nil)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text []byte) string {
		path := filepath.Join(t.TempDir(), "b.tar")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, length := range []int{0, 1, 511, 512, len(whole) / 2, len(whole) - 1024 - 512*2} {
		if err := refused(t, write(whole[:length])); !errors.Is(err, backup.ErrNotWhole) {
			t.Errorf("%d bytes: %v", length, err)
		}
	}
	for _, at := range []int{512 + 4096, len(whole) / 2, bytes.Index(whole, []byte(`"sumsSha256": "`)) + 20} {
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		if err := refused(t, write(changed)); !errors.Is(err, backup.ErrNotWhole) {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	database, sums, manifest := entries[0], entries[1], entries[2]
	for _, c := range []struct {
		entries []entry
		says    string
	}{
		{[]entry{sums, manifest}, "differs from its sum"},
		{[]entry{database, manifest}, "its sums are not those of its manifest"},
		{[]entry{database, sums}, "it has no manifest"},
		{[]entry{database, {"files/images/aa/a.png", []byte("more")}, sums, manifest}, "differs from its sum"},
		{[]entry{database, {"../outside", []byte("x")}, sums, manifest}, `"../outside" is no entry of a backup`},
		{[]entry{database, {"files/../../outside", []byte("x")}, sums, manifest}, "is no entry of a backup"},
		{[]entry{database, {"/etc/outside", []byte("x")}, sums, manifest}, "is no entry of a backup"},
		{[]entry{database, sums, {"manifest.json", []byte("nonsense")}}, "manifest: "},
	} {
		_ = refused(t, pack(t, c.entries), c.says)
	}
}

func TestABackupOfANewerVersionIsRefused(t *testing.T) {
	t.Parallel()
	newest, err := store.NewestSchema()
	if err != nil {
		t.Fatal(err)
	}
	// A newer version has a migration more.
	path, entries := newBackup(t, func(db *store.DB) {
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)", newest+1)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	says := fmt.Sprintf("has schema %d, written by laurel test; this version knows schemas up to %d", newest+1, newest)
	_ = refused(t, path, says)
	change := func(name string, value any) string {
		var manifest map[string]any
		if err := json.Unmarshal(entries[2].text, &manifest); err != nil {
			t.Fatal(err)
		}
		manifest[name] = value
		text, err := json.Marshal(manifest)
		if err != nil {
			t.Fatal(err)
		}
		return pack(t, []entry{entries[0], entries[1], {entries[2].name, text}})
	}
	_ = refused(t, change("schemaVersion", newest), fmt.Sprintf("its manifest names schema %d, its database has %d", newest, newest+1))
	_ = refused(t, change("format", backup.Format+1), "was written by laurel test in form 2")
	_ = refused(t, change("fileCount", 3), "it has 0 files, its manifest names 3")
}

func TestTheSumsOfABackupAreThoseOfSha256sum(t *testing.T) {
	t.Parallel()
	_, entries := newBackup(t, nil)
	sum := sha256.Sum256(entries[0].text)
	if got, want := string(entries[1].text), hex.EncodeToString(sum[:])+"  laurel.db\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAnEmptyDatabaseIsNotBackedUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := store.Open(t.Context(), store.Options{URL: "sqlite:" + filepath.Join(dir, "a.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	from := backup.Source{DB: db, Folder: dir, Files: backup.FilesIncluded, Logger: slog.Default()}
	_, err = backup.Write(t.Context(), from, filepath.Join(dir, "a.tar"), false)
	if err == nil || !strings.Contains(err.Error(), "the database is empty") {
		t.Errorf("%v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.tar*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}
