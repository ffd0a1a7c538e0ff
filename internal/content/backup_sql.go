package content

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// FolderOfFiles is the folder within the data folder that holds all uploaded files.
const FolderOfFiles = "files"

// backupPage is how many files WalkUploaded reads at once.
const backupPage = 1000

// WalkUploaded calls f with the path, within the data folder or the bucket, of every uploaded file of the database, in
// order of their ids, until f fails.
func WalkUploaded(ctx context.Context, q store.Queryer, f func(path string) error) error {
	var after laurel.ID
	for {
		var w store.Where
		w.Add("uploaded_at IS NOT NULL AND removed_at IS NULL")
		if !after.IsZero() {
			w.Add("id > ?", after)
		}
		var files []struct {
			ID laurel.ID
			filePlace
		}
		err := q.Select(ctx, &files,
			"SELECT id, file_path, file_key, file_name FROM assets"+w.String()+" ORDER BY id LIMIT ?",
			append(w.Args, backupPage)...)
		if err != nil || len(files) == 0 {
			return err
		}
		for _, file := range files {
			if err := f(file.storagePath()); err != nil {
				return err
			}
		}
		after = files[len(files)-1].ID
	}
}
