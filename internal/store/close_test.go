package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"laurel.example/laurel/internal/store"
)

func TestAClosedSQLiteDatabaseIsOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := store.Open(context.Background(), store.Options{URL: "sqlite:" + filepath.Join(dir, "a.db")})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ChangeSetting(
		context.Background(),
		"name",
		func(string) (string, error) { return "value", nil },
	); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v %v", files, err)
	}
}
