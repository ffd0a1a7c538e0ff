package main

import (
	"fmt"
	"os"

	"laurel.example/laurel/internal/app"
)

// dataFlags say where uploaded files are; laurel serve has the same flag.
type dataFlags struct {
	DataDir string `name:"data-dir" help:"Folder of uploaded files, as for laurel serve." env:"LAUREL_DATA_DIR" type:"path"`
}

type backupCommand struct {
	dataFlags
	File         string `arg:"" help:"Backup to write, such as laurel.backup.tar. A name that ends with .gz is compressed." type:"path"`
	FilesBucket  string `name:"files-bucket" help:"Bucket of uploaded files, as for laurel serve: it is not in the backup." env:"LAUREL_FILES_BUCKET"`
	WithoutFiles bool   `name:"without-files" help:"Leave uploaded files out."`
	Force        bool   `help:"Replace the file if it exists."`
	JSON         bool   `help:"Print one JSON object."`
}

// Run writes the backup and prints what is in it; on stderr it prints what is not, and what to keep secret.
func (c backupCommand) Run(e environment) error {
	config := app.Config{Database: e.database, DataDir: c.DataDir, FilesBucket: c.FilesBucket, Logger: e.log}
	done, err := app.Backup(e.ctx, config, app.BackupInput{To: c.File, Force: c.Force, WithoutFiles: c.WithoutFiles})
	if err != nil {
		return err
	}
	if done.HoldsKey {
		fmt.Fprintln(os.Stderr, "LAUREL_SECRET was never set, so the backup has the key of the secrets in it: whoever has the backup can read them")
	}
	switch {
	case done.Files == app.FilesInBucket:
		fmt.Fprintln(os.Stderr, "uploaded files are in the bucket, which is not in the backup")
	case done.Files == app.FilesLeftOut:
		fmt.Fprintln(os.Stderr, "uploaded files are not in the backup")
	case done.MissingFiles > 0:
		fmt.Fprintf(os.Stderr, "%d files that the database names are not in the data folder: they were deleted meanwhile, or by hand\n",
			done.MissingFiles)
	}
	if c.JSON {
		return printJSON(done.Manifest)
	}
	fmt.Printf("%s: database with schema %d, and %d files\n", printable(c.File), done.SchemaVersion, done.FileCount)
	return nil
}

type restoreCommand struct {
	dataFlags
	File  string `arg:"" help:"Backup to restore." type:"path"`
	Force bool   `help:"Replace a database and files that exist; they are kept under other names."`
	JSON  bool   `help:"Print one JSON object."`
}

// Run restores the backup and prints its version and the new names of the database and files that were there before.
func (c restoreCommand) Run(e environment) error {
	done, err := app.Restore(e.ctx, app.Config{Database: e.database, DataDir: c.DataDir, Logger: e.log}, c.File, c.Force)
	if err != nil {
		return err
	}
	for _, path := range done.Kept {
		fmt.Fprintf(os.Stderr, "kept what was there as %s\n", printable(path))
	}
	switch done.Files {
	case app.FilesInBucket:
		fmt.Fprintln(os.Stderr, "uploaded files are in the bucket, which was not in the backup")
	case app.FilesLeftOut:
		fmt.Fprintln(os.Stderr, "uploaded files were not in the backup")
	}
	if c.JSON {
		return printJSON(done.Manifest)
	}
	fmt.Printf("%s: restored the database of %s with schema %d, and %d files\n", e.database,
		done.CreatedAt.Format("2006-01-02 15:04:05 MST"), done.SchemaVersion, done.FileCount)
	return nil
}
