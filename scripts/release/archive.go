package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"time"
)

// archived is a file of an archive.
type archived struct {
	name string
	text []byte
	mode fs.FileMode
}

// writeTar returns a compressed tar file. It names no user, no machine and no time but modified.
func writeTar(files []archived, modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression) // its header has neither name nor time
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.text)), Mode: int64(f.mode), ModTime: modified,
			Format: tar.FormatUSTAR,
		})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	err = errors.Join(w.Close(), compressed.Close())
	return out.Bytes(), err
}

// writeZip returns a zip file with nothing of this machine in it.
func writeZip(files []archived, modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified}
		h.SetMode(f.mode)
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
