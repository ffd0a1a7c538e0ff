package content

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// bucketWithin is how long a bucket may take to be found, and a part of it to be forgotten.
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

// bring sends a part to the bucket, under a name of its own: other nodes may receive the same file.
func (b *Bucket) bring(ctx context.Context, root *os.Root, part, kind string) (drop func(), err error) {
	file, err := root.Open(part)
	if err != nil {
		return nil, err
	}
	err = b.bucket.Upload(ctx, part, file, &blob.WriterOptions{ContentType: kind})
	return func() { b.drop(part) }, errors.Join(err, file.Close()) //nolint:contextcheck // also where the caller has gone
}

// settle copies within the bucket, which takes little longer for large files: a transaction waits for it.
func (b *Bucket) settle(ctx context.Context, _ *os.Root, part, to string) error {
	return b.bucket.Copy(ctx, to, part, nil)
}

// drop removes the part that was copied. Where that fails, sweep does it later.
func (b *Bucket) drop(part string) {
	ctx, cancel := context.WithTimeout(context.Background(), bucketWithin)
	defer cancel()
	_ = b.bucket.Delete(ctx, part)
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

func (b *Bucket) sweep(ctx context.Context, before time.Time) error {
	var faults error
	for left := b.bucket.List(&blob.ListOptions{Prefix: incoming + "/"}); ; {
		object, err := left.Next(ctx)
		if errors.Is(err, io.EOF) {
			return faults
		}
		if err != nil {
			return errors.Join(faults, err)
		}
		if object.ModTime.Before(before) {
			faults = errors.Join(faults, b.remove(ctx, object.Key))
		}
	}
}
