package content_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"laurel.example/laurel/internal/content"
)

// TestAddressesOfBuckets holds what an operator reads who mistypes the address. Nothing is sent for these.
func TestAddressesOfBuckets(t *testing.T) {
	t.Parallel()
	const form = "the bucket must be an address such as s3://files?region=eu-central-1"
	for address, want := range map[string]string{
		"files":                                   form,
		"https://files":                           form,
		"s3://":                                   form,
		"s3://key:word@files":                     form,
		"s3://files/folder":                       form,
		"s3://files?zone=eu":                      `bucket files: "zone" is no parameter: there are region, endpoint and use_path_style`,
		"s3://files?region=a&region=b":            "bucket files: region is given 2 times",
		"s3://files?region=%zz":                   "bucket files: its query cannot be read",
		"s3://files?use_path_style=maybe":         "bucket files: use_path_style must be true or false",
		"s3://files?endpoint=storage.example":     "bucket files: endpoint must be the URL of a host, such as https://storage.example.com",
		"s3://files?endpoint=ftp://a.example":     "bucket files: endpoint must be the URL of a host, such as https://storage.example.com",
		"s3://files?endpoint=https://a.example/b": "bucket files: endpoint must be the URL of a host, such as https://storage.example.com",
		"s3://files?endpoint=https://u@a.example": "bucket files: endpoint must be the URL of a host, such as https://storage.example.com",
	} {
		bucket, err := content.OpenBucket(t.Context(), address)
		require.EqualError(t, err, want, address)
		require.Nil(t, bucket)
	}
}

// TestBucketThatNobodyServes: a server whose bucket cannot be reached does not wait for ever, and names the bucket.
func TestBucketThatNobodyServes(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "laurel")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "laurel")
	within, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := content.OpenBucket(within, "s3://files?region=eu&endpoint=http://127.0.0.1:1&use_path_style=true")
	require.ErrorContains(t, err, "bucket files: ")
	require.NoError(t, within.Err(), "it gives up by itself")
}
