package content

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"regexp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// uploadsFolder holds the parts that are being received: a file appears at its place complete or not at all.
const uploadsFolder = "uploads"

// Upload receives the bytes of an announced file and returns its public address. announced is the Content-Length of the
// request, or -1 if it has none. A token is good for one complete upload, which must end within UploadLifetime. The
// body is read last, after all other checks. Errors: NotFound "Upload"; Refused if the token was used or has expired,
// or the size differs; RateLimited while another upload with the token is under way.
func (s *Service) Upload(ctx context.Context, token string, announced int64, body io.Reader) (string, error) {
	if !tokenPattern.MatchString(token) {
		return "", laurel.Missing("Upload")
	}
	a, err := findUpload(ctx, s.db, hashToken(token))
	if err != nil {
		return "", err
	}
	switch {
	case a.UploadedAt != nil:
		return "", errUsed()
	case store.Micros(s.db.Now()) >= a.ExpiresAt:
		return "", errExpired()
	case announced >= 0 && announced != a.Size:
		return "", errSize(a)
	}
	if !s.uploads.add(a.Key) {
		return "", errUploadUnderWay
	}
	defer s.uploads.remove(a.Key)
	return s.base + a.PublicPath(), s.receiveFile(ctx, a, body)
}

// receiveFile receives the bytes of a file into a part, a temporary file in the data folder. It marks the file as
// uploaded and moves the part to its place, in one transaction; a bucket gets its copy before. No part is left behind.
func (s *Service) receiveFile(ctx context.Context, a asset, body io.Reader) error {
	root, err := s.folder.root()
	if err != nil {
		return errUnavailable(err)
	}
	defer func() { _ = root.Close() }()
	part := path.Join(uploadsFolder, a.Key+"."+s.db.NewID().String())
	defer func() { _ = root.Remove(part) }()
	if err := writePart(root, part, a, body); err != nil {
		return err
	}
	takeBack, err := s.files.upload(ctx, root, part, a.filePlace)
	if errors.Is(err, errUploadUnderWay) {
		return err
	}
	if err != nil {
		return errUnavailable(err)
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		isFirst, err := markUploaded(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		if !isFirst {
			return uploadRefusal(ctx, tx, a)
		}
		if err := s.files.commit(root, part, a.storagePath()); err != nil {
			return errUnavailable(err)
		}
		return nil
	})
	if laurel.IsRefusal(err) { // after another error the file may have been accepted
		takeBack()
	}
	return err
}

// uploadRefusal returns why markUploaded has not accepted an upload: it has expired, was deleted, or another upload was
// faster.
func uploadRefusal(ctx context.Context, tx *store.Tx, a asset) error {
	if store.Micros(tx.Now()) >= a.ExpiresAt {
		return errExpired()
	}
	if _, err := findUpload(ctx, tx, a.TokenHash); err != nil { // deleted meanwhile
		return err
	}
	return errUsed()
}

// tokenPattern is that of the tokens that announce makes.
var tokenPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// errUploadUnderWay is returned if another upload to the address runs on this node, or another node has put its bytes
// into the bucket.
var errUploadUnderWay = &laurel.Error{
	Code: laurel.RateLimited, Message: "Another upload to this address is under way", RetryAfter: 5,
}

func errExpired() error { return laurel.Errorf(laurel.Refused, "Upload address has expired") }

func errUsed() error { return laurel.Errorf(laurel.Refused, "Upload address was already used") }

func errSize(a asset) error {
	return laurel.Errorf(laurel.Refused, "File must have exactly %d bytes", a.Size)
}

// writePart writes the body into a part and flushes it to the disk. Errors: Refused if the body does not have the
// announced size; Unavailable if the disk fails.
func writePart(root *os.Root, part string, a asset, body io.Reader) error {
	if err := root.MkdirAll(uploadsFolder, 0o700); err != nil {
		return errUnavailable(err)
	}
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errUnavailable(err)
	}
	source := &bodyReader{from: io.LimitReader(body, a.Size+1)} // one byte more shows that a body is too long
	n, err := io.Copy(file, source)
	if source.err != nil { // cut off
		return errors.Join(errSize(a), file.Close())
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errUnavailable(err)
	}
	if n != a.Size {
		return errSize(a)
	}
	return nil
}

// bodyReader remembers errors of the sender, to tell them from errors of the disk.
type bodyReader struct {
	from io.Reader
	err  error
}

func (r *bodyReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
