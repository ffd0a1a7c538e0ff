package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"laurel.example/laurel/internal/durable"
	"laurel.example/laurel/internal/store"
)

// maxText bounds the sums and the manifest, which are read into memory: sums of several million files.
const maxText = 1 << 30

// readArchive extracts a backup into the temporary folders of a restore, flushes it to the disk, and checks it against
// its sums and its manifest. Errors: ErrNotWhole; Refused for a newer format or schema.
func readArchive(ctx context.Context, file string, into *restoring) (Manifest, error) {
	in, err := os.Open(file) //nolint:gosec // the operator's own choice
	if err != nil {
		return Manifest{}, err
	}
	defer func() { _ = in.Close() }()
	x := &extractor{ctx: ctx, path: file, into: into}
	buffered := bufio.NewReaderSize(in, 1<<20)
	var source io.Reader = buffered
	if magic, err := buffered.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if source, err = gzip.NewReader(buffered); err != nil {
			return Manifest{}, notWhole(file, "%v", err)
		}
	}
	if err := x.extractAll(tar.NewReader(source)); err != nil {
		return Manifest{}, err
	}
	return x.manifest, x.check()
}

// extractor extracts the entries of a backup and collects their sums.
type extractor struct {
	ctx      context.Context //nolint:containedctx // of one call of Restore
	path     string
	into     *restoring
	sums     bytes.Buffer    // of the extracted entries
	stated   []byte          // the entry SHA256SUMS
	folders  map[string]bool // that were written to
	manifest Manifest
	isWhole  bool // the manifest was read
	files    int
}

// extractAll extracts all entries up to the manifest.
func (x *extractor) extractAll(in *tar.Reader) error {
	x.folders = map[string]bool{}
	for !x.isWhole {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return notWhole(x.path, "it has no manifest")
		}
		if err != nil {
			return notWhole(x.path, "%v", err)
		}
		if h.Typeflag != tar.TypeReg || !isEntry(h.Name) {
			return notWhole(x.path, "%q is no entry of a backup", h.Name)
		}
		if err := x.extract(h, in); err != nil {
			return err
		}
	}
	return nil
}

// extract reads one entry.
func (x *extractor) extract(h *tar.Header, in io.Reader) error {
	switch h.Name {
	case sumsEntry:
		text, err := x.readText(h, in)
		x.stated = text
		return err
	case manifestEntry:
		text, err := x.readText(h, in)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &x.manifest); err != nil {
			return notWhole(x.path, "manifest: %v", err)
		}
		x.isWhole = true
		return nil
	}
	folder, err := x.into.folderFor(h.Name)
	if err != nil {
		return err
	}
	if h.Name != databaseEntry {
		x.files++
	}
	return x.writeFile(folder, h, in)
}

// readText reads an entry into memory.
func (x *extractor) readText(h *tar.Header, in io.Reader) ([]byte, error) {
	if h.Size > maxText {
		return nil, notWhole(x.path, "%s is too large", h.Name)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, notWhole(x.path, "%v", err)
	}
	return text, nil
}

// writeFile writes an entry to a file of the same name in a folder, and flushes it to the disk.
func (x *extractor) writeFile(folder string, h *tar.Header, in io.Reader) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if parent := path.Dir(h.Name); parent != "." {
		if err := root.MkdirAll(parent, 0o700); err != nil {
			return err
		}
	}
	file, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	source := &sourceReader{from: &contextReader{x.ctx, in}}
	_, err = io.Copy(io.MultiWriter(file, sum), source)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		if source.err != nil && x.ctx.Err() == nil {
			return notWhole(x.path, "%v", source.err)
		}
		return err
	}
	for at := h.Name; at != "."; at = path.Dir(at) {
		x.folders[path.Join(folder, path.Dir(at))] = true
	}
	_, err = fmt.Fprintf(&x.sums, "%x  %s\n", sum.Sum(nil), h.Name)
	return err
}

// check compares what was extracted with the sums and the manifest, and flushes the folders.
func (x *extractor) check() error {
	sum := sha256.Sum256(x.stated)
	newest, err := store.NewestSchema()
	switch m := x.manifest; {
	case err != nil:
		return err
	case m.Format > Format:
		return fmt.Errorf("%s was written by %s in form %d, and this version knows forms up to %d", x.path, m.Laurel,
			m.Format, Format)
	case hex.EncodeToString(sum[:]) != m.SumsSHA256:
		return notWhole(x.path, "its sums are not those of its manifest")
	case !bytes.Equal(x.stated, x.sums.Bytes()):
		return notWhole(x.path, "%s differs from its sum", firstDifference(x.stated, x.sums.Bytes()))
	case x.files != m.FileCount:
		return notWhole(x.path, "it has %d files, its manifest names %d", x.files, m.FileCount)
	case !bytes.Contains(x.stated, []byte("  "+databaseEntry+"\n")):
		return notWhole(x.path, "it has no database")
	case m.SchemaVersion > newest:
		return newer(x.path, m, newest)
	}
	for folder := range x.folders {
		if err := durable.SyncFolder(folder); err != nil {
			return err
		}
	}
	return nil
}

// firstDifference returns the name of the first entry whose line differs between two lists of sums.
func firstDifference(stated, found []byte) string {
	have := map[string]bool{}
	for line := range bytes.Lines(found) {
		have[string(line)] = true
	}
	for line := range bytes.Lines(stated) {
		if _, name, ok := bytes.Cut(bytes.TrimSpace(line), []byte("  ")); ok && !have[string(line)] {
			return string(name)
		}
	}
	return "an entry without a sum"
}

// sourceReader remembers errors of the backup, to tell them from errors of the disk that is written to.
type sourceReader struct {
	from io.Reader
	err  error
}

func (r *sourceReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
