package content

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket stores files in an S3-compatible object store, so that nodes need no shared folder.
type Bucket struct {
	client *minio.Client
	name   string
}

const (
	bucketTimeout = 15 * time.Second // for a bucket to be found, and to take a file back
	bucketTries   = 3                // of one request
)

// OpenBucket opens the bucket at an address such as s3://files?region=eu-central-1. The query may hold region, endpoint
// (the URL of a store that is not the protocol's own) and use_path_style (the store wants the bucket in the path, not
// in the name of the host). Other parameters are refused. The credentials are the first that are found:
// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN of the environment, the profile AWS_PROFILE in
// ~/.aws/credentials or in the file AWS_SHARED_CREDENTIALS_FILE, the role of the machine or of the container, a web
// identity. It returns an error if the bucket cannot be reached.
func OpenBucket(ctx context.Context, address string) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil || u.Path != "" {
		return nil, errors.New("the bucket must be an address such as s3://files?region=eu-central-1")
	}
	host, options, err := bucketOptions(u)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", u.Host, err)
	}
	client, err := minio.New(host, &options)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", u.Host, err)
	}
	timeoutCtx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	exists, err := client.BucketExists(timeoutCtx, u.Host)
	if err == nil && !exists {
		err = errors.New("it does not exist, or the credentials do not open it")
	}
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", u.Host, err)
	}
	return &Bucket{client, u.Host}, nil
}

// bucketOptions returns the host of the store and the client's options, from the query of a bucket's address and the
// environment. It returns an error for a parameter that is unknown, occurs twice or is not valid.
func bucketOptions(u *url.URL) (host string, o minio.Options, err error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", o, errors.New("its query cannot be read")
	}
	for name, values := range query {
		switch {
		case name != "region" && name != "endpoint" && name != "use_path_style":
			return "", o, fmt.Errorf("%q is no parameter: there are region, endpoint and use_path_style", name)
		case len(values) > 1:
			return "", o, fmt.Errorf("%s is given %d times", name, len(values))
		}
	}
	host, o = "s3.amazonaws.com", minio.Options{
		Creds:      bucketCredentials(),
		Secure:     true,
		Region:     cmp.Or(query.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		MaxRetries: bucketTries,
	}
	if text := query.Get("endpoint"); text != "" {
		endpoint, err := url.Parse(text)
		if err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" ||
			endpoint.User != nil || endpoint.Path != "" && endpoint.Path != "/" || endpoint.RawQuery != "" {
			return "", o, errors.New("endpoint must be the URL of a host, such as https://storage.example.com")
		}
		host, o.Secure, o.BucketLookup = endpoint.Host, endpoint.Scheme == "https", minio.BucketLookupDNS
	}
	if text := query.Get("use_path_style"); text != "" {
		path, err := strconv.ParseBool(text)
		if err != nil {
			return "", o, errors.New("use_path_style must be true or false")
		}
		if path {
			o.BucketLookup = minio.BucketLookupPath
		}
	}
	return host, o, nil
}

// bucketCredentials returns the sources of credentials, in the order in which they are tried.
func bucketCredentials() *credentials.Credentials {
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{},
		&credentials.FileAWSCredentials{},
		&credentials.IAM{},
	})
}

// upload sends part, a received file in the folder root, to its place p in the bucket. If p has an object already, it
// returns errUploadUnderWay: of two nodes that receive the same file, the first one wins. The file is sent in one
// request (MaxSize is far below the limit of a request), so that this check and the writing are one step. upload runs
// before the transaction that accepts the file. takeBack removes the object again if the file is refused there. If the
// node dies before that, the object is removed once the upload address has expired.
func (b *Bucket) upload(ctx context.Context, root *os.Root, part string, p filePlace) (takeBack func(), err error) {
	file, err := root.Open(part)
	if err != nil {
		return nil, err
	}
	takeBack = func() { b.removeQuietly(p.storagePath()) } //nolint:contextcheck // even if the caller has gone
	return takeBack, errors.Join(b.put(ctx, file, p), file.Close())
}

// put sends an open file to its place in the bucket. It returns errUploadUnderWay if there is an object already.
func (b *Bucket) put(ctx context.Context, file *os.File, p filePlace) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	o := minio.PutObjectOptions{ContentType: mediaTypes[extension(p.Name)], DisableMultipart: true}
	o.SetMatchETagExcept("*") // only if there is no object yet
	_, err = b.client.PutObject(ctx, b.name, p.storagePath(), file, info.Size(), o)
	switch minio.ToErrorResponse(err).Code {
	case minio.PreconditionFailed, "ConditionalRequestConflict": // the second code: another node sends it at this moment
		return errUploadUnderWay
	}
	return err
}

// commit does nothing: upload has stored the file already.
func (b *Bucket) commit(*os.Root, string, string) error { return nil }

// removeQuietly removes an uploaded object. If that fails, the maintenance does it later.
func (b *Bucket) removeQuietly(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), bucketTimeout)
	defer cancel()
	_ = b.remove(ctx, name)
}

// open opens an object and fetches only its size and time. The bytes are fetched when the file is read, from the
// reader's position, so that a range request fetches only its range. It returns fs.ErrNotExist if there is no object.
func (b *Bucket) open(ctx context.Context, name string) (*File, error) {
	object, err := b.client.GetObject(ctx, b.name, name, minio.GetObjectOptions{})
	if err != nil {
		return nil, errUnavailable(err)
	}
	info, err := object.Stat()
	if err != nil {
		_ = object.Close() // nothing was read from it
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			return nil, fs.ErrNotExist
		}
		return nil, errUnavailable(err)
	}
	return &File{ReadSeekCloser: object, Size: info.Size, Modified: info.LastModified}, nil
}

// remove removes an object, if it exists.
func (b *Bucket) remove(ctx context.Context, name string) error {
	err := b.client.RemoveObject(ctx, b.name, name, minio.RemoveObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil
	}
	return err
}
