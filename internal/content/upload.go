package content

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"regexp"

	"laurel"
	"laurel/internal/store"
)

// uploadsFolder holds what is being sent, within the folder: a file appears at its place whole or not at all.
const uploadsFolder = "uploads"

// Upload takes the bytes of an announced file; announced is the length that the request tells, or -1. The token is
// used up by the first upload that is whole, which must be within UploadLifetime. It returns the file's public address.
// Nothing of the body is read before all else is judged. Errors: NotFound "Upload"; Refused where the token was used,
// is too old, or the size is another; RateLimited while another upload with the token is under way.
func (s *Service) Upload(ctx context.Context, token string, announced int64, body io.Reader) (string, error) {
	if !tokenForm.MatchString(token) {
		return "", laurel.Missing("Upload")
	}
	a, err := findUpload(ctx, s.db, hashOf(token))
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
	return s.base + a.Public(), s.receiveFile(ctx, a, body)
}

// receiveFile receives the bytes of a file and puts it to its place.
func (s *Service) receiveFile(ctx context.Context, a asset, body io.Reader) error {
	root, err := s.folder.root()
	if err != nil {
		return unavailable(err)
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
		return unavailable(err)
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		first, err := markUploaded(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		if !first {
			return whyRefused(ctx, tx, a)
		}
		if err := s.files.commit(root, part, a.name()); err != nil {
			return unavailable(err)
		}
		return nil
	})
	if laurel.IsRefusal(err) {
		takeBack()
	}
	return err
}

// whyRefused is why a file is no longer taken that was when its upload began.
func whyRefused(ctx context.Context, tx *store.Tx, a asset) error {
	if store.Micros(tx.Now()) >= a.ExpiresAt {
		return errExpired()
	}
	if _, err := findUpload(ctx, tx, a.TokenHash); err != nil { // deleted meanwhile
		return err
	}
	return errUsed()
}

// tokenForm is that of the tokens that announce makes.
var tokenForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// errUploadUnderWay: an upload is under way here, or another node has brought its bytes to the bucket.
var errUploadUnderWay = &laurel.Error{
	Code: laurel.RateLimited, Message: "Another upload to this address is under way", RetryAfter: 5,
}

func errExpired() error { return laurel.Errorf(laurel.Refused, "Upload address has expired") }

func errUsed() error { return laurel.Errorf(laurel.Refused, "Upload address was already used") }

func errSize(a asset) error {
	return laurel.Errorf(laurel.Refused, "File must have exactly %d bytes", a.Size)
}

// writePart writes the body into a file of its own, flushed to the disk.
func writePart(root *os.Root, part string, a asset, body io.Reader) error {
	if err := root.MkdirAll(uploadsFolder, 0o700); err != nil {
		return unavailable(err)
	}
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unavailable(err)
	}
	source := &bodyReader{from: io.LimitReader(body, a.Size+1)}
	n, err := io.Copy(file, source)
	if source.err != nil { // cut off
		return errors.Join(errSize(a), file.Close())
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return unavailable(err)
	}
	if n != a.Size {
		return errSize(a)
	}
	return nil
}

// bodyReader keeps apart the faults of who sends from those of the disk.
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
