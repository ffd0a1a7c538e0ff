package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob" // the scheme s3
	"gocloud.dev/gcerrors"
)

// Bucket keeps files in an object store that speaks S3, so that nodes share no folder.
type Bucket struct{ bucket *blob.Bucket }

// bucketWithin is how long a bucket may take to be found, and to take a file back.
const bucketWithin = 15 * time.Second

// OpenBucket opens the bucket at an address such as s3://files?region=eu-central-1, with the credentials that the
// environment holds (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the like). The query may name an endpoint,
// use_path_style and what else gocloud.dev/blob/s3blob takes. It returns an error where the bucket cannot be reached.
func OpenBucket(ctx context.Context, address string) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return nil, errors.New("the bucket must be an address such as s3://files?region=eu-central-1")
	}
	b, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", u.Host, err)
	}
	within, cancel := context.WithTimeout(ctx, bucketWithin)
	defer cancel()
	there, err := b.IsAccessible(within)
	if err == nil && !there {
		err = errors.New("it does not exist, or the credentials do not open it")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("bucket %s: %w", u.Host, err), b.Close())
	}
	return &Bucket{b}, nil
}

// Close ends the use of the bucket.
func (b *Bucket) Close() error { return b.bucket.Close() }

// bring sends a part to its place, unless something is there: of two nodes that receive one file the first one does.
// No transaction waits for that. What a node leaves there that dies before the file counts is removed once the address
// of the upload has expired.
func (b *Bucket) bring(ctx context.Context, root *os.Root, part string, p place) (takeBack func(), err error) {
	file, err := root.Open(part)
	if err != nil {
		return nil, err
	}
	err = b.bucket.Upload(ctx, p.name(), file, &blob.WriterOptions{
		ContentType: kinds[extension(p.Name)], IfNotExist: true,
	})
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		err = errOther
	}
	takeBack = func() { b.takeBack(p.name()) } //nolint:contextcheck // also where the caller has gone
	return takeBack, errors.Join(err, file.Close())
}

// settle has nothing to do: bring has done it.
func (b *Bucket) settle(*os.Root, string, string) error { return nil }

// takeBack removes what was brought. Where that fails, the upkeep does it later.
func (b *Bucket) takeBack(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), bucketWithin)
	defer cancel()
	_ = b.remove(ctx, name)
}

func (b *Bucket) open(ctx context.Context, name string) (*File, error) {
	r, err := b.bucket.NewReader(ctx, name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return &File{ReadSeekCloser: r, Size: r.Size(), Modified: r.ModTime()}, nil
}

func (b *Bucket) remove(ctx context.Context, name string) error {
	if err := b.bucket.Delete(ctx, name); gcerrors.Code(err) != gcerrors.NotFound {
		return err
	}
	return nil
}
