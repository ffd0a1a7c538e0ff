package main_test

import (
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// shop is a program on SQLite with one uploaded file.
type shop struct {
	program
	folder, database, data string
	asset                  object
	stored                 string // path of the uploaded file
}

func newShop(t *testing.T) (shop, *process) {
	t.Helper()
	s := shop{folder: t.TempDir()}
	s.database, s.data = "sqlite:"+filepath.Join(s.folder, "shop.db"), filepath.Join(s.folder, "data")
	s.program = initProgram(t, s.database)
	server := serve(t, s.database, "--data-dir", s.data)
	s.asset = server.site(s.program).post("/api/assets", object{"fileName": "a.png", "fileSize": 5}).ok(t)
	put(t, server.address+s.asset["signedUrl"].(string), "hello")
	files := filesIn(t, filepath.Join(s.data, "files"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	s.stored = files[0]
	return s, server
}

func TestABackupUnderLoadHoldsWhatWasAcknowledgedBefore(t *testing.T) {
	t.Parallel()
	s, server := newShop(t)
	l := begin(t, server.site(s.program))
	l.reach(300)
	l.mu.Lock()
	before := append([]effect(nil), l.done...)
	l.mu.Unlock()
	backup, restored := filepath.Join(s.folder, "b.tar.gz"), "sqlite:"+filepath.Join(s.folder, "new", "shop.db")
	run(t, "backup", backup, "--database", s.database, "--data-dir", s.data).ok()
	l.reach(300)
	l.end()
	run(t, "restore", backup, "--database", restored).ok()
	all, _ := written(t, s.database)
	copied, _ := written(t, restored)
	for _, e := range before {
		if copied[e.transaction] != 1 {
			t.Fatalf("%+v was acknowledged before the backup and is in it %d times", e, copied[e.transaction])
		}
	}
	for transaction, n := range copied {
		if all[transaction] != n {
			t.Fatalf("transaction %s is in the backup %d times, and in the database %d times", transaction, n, all[transaction])
		}
	}
	green(t, restored)
	// It serves: with the keys, the rule and the uploaded file of before.
	site := serve(t, restored).site(s.program)
	site.post(completion(l.rule), object{"walletAddress": walletOf(7)}).ok(t)
	if got := site.get(s.asset["url"].(string)); got.status != http.StatusOK || got.body != "hello" {
		t.Errorf("the file: %d %q", got.status, got.body)
	}
	green(t, restored)
}

func TestABackupThatIsKilledLeavesNoFileThatLooksWhole(t *testing.T) {
	t.Parallel()
	s, server := newShop(t)
	defer server.kill()
	backup := filepath.Join(s.folder, "backups", "b.tar")
	if err := os.Mkdir(filepath.Dir(backup), 0o700); err != nil {
		t.Fatal(err)
	}
	// A pipe in the place of the file holds the backup up where it has written the database.
	if err := os.Rename(s.stored, s.stored+".away"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(s.stored, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, nil, "backup", backup, "--database", s.database, "--data-dir", s.data)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	wait.Until(t, "the database is in the half backup", func() bool {
		found, err := filepath.Glob(filepath.Join(s.folder, "backups", ".b.tar.partial-*", "archive-b.tar"))
		if err != nil || len(found) != 1 {
			return false
		}
		info, err := os.Stat(found[0])
		return err == nil && info.Size() > 1<<20
	})
	line := []string{"backup", backup, "--database", s.database, "--data-dir", s.data}
	run(t, line...).fails("another backup", "is under way")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := os.Stat(backup); err == nil {
		t.Fatal("the half backup has the name of a whole one")
	}
	if err := os.Rename(s.stored+".away", s.stored); err != nil {
		t.Fatal(err)
	}
	run(t, line...).ok()
	if left := filesIn(t, filepath.Dir(backup)); len(left) != 1 || left[0] != backup {
		t.Errorf("left: %v", left)
	}
}

func TestABackupOnAFullDiskFailsAndLeavesNothing(t *testing.T) {
	t.Parallel()
	s, server := newShop(t)
	defer server.kill()
	disk := filepath.Join(s.folder, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %s", out)
	}
	defer func() { _ = exec.Command("umount", disk).Run() }()
	// The disk has space for a copy of the database, and not for the backup beside it.
	run(t, "backup", filepath.Join(disk, "b.tar"), "--database", s.database, "--data-dir", s.data).fails("no space left")
	if left, err := os.ReadDir(disk); err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
	// The same disk has no space to restore to.
	whole := filepath.Join(s.folder, "b.tar")
	run(t, "backup", whole, "--database", s.database, "--data-dir", s.data).ok()
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 3<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "restore", whole, "--database", "sqlite:"+filepath.Join(disk, "new.db")).fails("no space left")
	if left, err := filepath.Glob(filepath.Join(disk, "*.db")); err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

func TestARestoreReplacesNothingUnlessItIsForced(t *testing.T) {
	t.Parallel()
	s, server := newShop(t)
	backup := filepath.Join(s.folder, "b.tar")
	line := []string{"backup", backup, "--database", s.database, "--data-dir", s.data}
	run(t, line...).ok()
	run(t, line...).fails("exists already")
	restore := []string{"restore", backup, "--database", s.database, "--data-dir", s.data}
	run(t, restore...).fails("exists already")
	forced := append(slices.Clone(restore), "--force")
	run(t, forced...).fails("is already served by another process")
	rule := server.site(s.program).rule("daily")
	server.stop(syscall.SIGTERM)
	shell := open(t, s.database)
	if err := shell.Ping(); err != nil {
		t.Fatal(err)
	}
	one(t, shell, "SELECT name FROM organizations")
	run(t, forced...).fails("in use by another process")
	if err := shell.Close(); err != nil {
		t.Fatal(err)
	}
	output := run(t, forced...)
	output.ok()
	if n := strings.Count(output.stderr, "kept what was there as "); n != 2 {
		t.Errorf("it says %d times what it kept:\n%s", n, output.stderr)
	}
	kept, err := filepath.Glob(filepath.Join(s.folder, "shop.db.replaced-*Z"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept: %v %v", kept, err)
	}
	if n := one(t, open(t, "sqlite:"+kept[0]), "SELECT CAST(COUNT(*) AS TEXT) FROM loyalty_rules WHERE id = '"+rule+"'"); n != "1" {
		t.Errorf("the kept database has %s such rules", n)
	}
	again := serve(t, s.database, "--data-dir", s.data).site(s.program)
	if list := again.get("/api/loyalty/rules?loyaltyRuleId=" + rule).ok(t)["data"].([]any); len(list) != 0 {
		t.Errorf("a rule that is newer than the backup is still there: %v", list)
	}
	if got := again.get(s.asset["url"].(string)); got.body != "hello" {
		t.Errorf("the file: %d %q", got.status, got.body)
	}
	if left, err := os.ReadDir(s.folder); err != nil || hidden(left) {
		t.Errorf("left: %v %v", left, err)
	}
}

// hidden reports whether a folder has temporary entries.
func hidden(entries []fs.DirEntry) bool {
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			return true
		}
	}
	return false
}

func TestADamagedDatabaseIsReplacedWithItsLog(t *testing.T) {
	t.Parallel()
	s, server := newShop(t)
	backup := filepath.Join(s.folder, "b.tar")
	run(t, "backup", backup, "--database", s.database, "--data-dir", s.data).ok()
	server.kill()
	path := strings.TrimPrefix(s.database, "sqlite:")
	if err := os.WriteFile(path, []byte(strings.Repeat("damaged ", 4096)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Fatalf("the test needs a log: %v", err)
	}
	run(t, "restore", backup, "--force", "--database", s.database, "--data-dir", s.data).ok()
	green(t, s.database)
	if kept, err := filepath.Glob(path + ".replaced-*Z"); err != nil || len(kept) != 1 {
		t.Errorf("kept: %v %v", kept, err)
	}
}

func TestFilesThatABackupCannotFindAreNamed(t *testing.T) {
	t.Parallel()
	s, server := newShop(t)
	defer server.kill()
	file := func(name string) string { return filepath.Join(s.folder, name) }
	run(t, "backup", file("a.tar"), "--database", s.database).fails("has none of the 1 files", "--data-dir")
	if _, err := os.Stat(file("a.tar")); err == nil {
		t.Error("a backup without its files was written")
	}
	for _, c := range []struct{ flag, says string }{
		{"--without-files", "uploaded files are not in the backup"},
		{"--files-bucket=s3://files", "uploaded files are in the bucket"},
	} {
		e := run(t, "backup", file("b.tar"), "--force", "--database", s.database, c.flag)
		e.ok()
		if !strings.Contains(e.stderr, c.says) || !strings.Contains(e.stderr, "LAUREL_SECRET was never set") {
			t.Errorf("%s: %s", c.flag, e.stderr)
		}
	}
	if e := runWith(t, []string{"LAUREL_SECRET=0123456789abcdef"}, "init", "--database", "sqlite:"+file("sealed.db"), "--name", "A", "--website", "B", "--currency", "C"); e.status != 0 {
		t.Fatal(e.stderr)
	}
	if e := run(t, "backup", file("sealed.tar"), "--database", "sqlite:"+file("sealed.db")); e.status != 0 || e.stderr != "" {
		t.Errorf("status %d: %s", e.status, e.stderr)
	}
}

func TestBackupAndRestoreOfPostgreSQLNameItsOwnTools(t *testing.T) {
	t.Parallel()
	for command, tool := range map[string]string{"backup": "pg_dump", "restore": "pg_restore"} {
		e := run(t, command, "b.tar", "--database", "postgres://nobody@127.0.0.1:1/none").fails(tool)
		if e.status != 2 {
			t.Errorf("%s: status %d", command, e.status)
		}
	}
	missing := filepath.Join(t.TempDir(), "typo.db")
	run(t, "backup", filepath.Join(t.TempDir(), "b.tar"), "--database", "sqlite:"+missing).fails("typo.db does not exist")
	run(t, "restore", missing, "--database", "sqlite:"+missing+".new").fails("no such file")
}

func TestHealthSaysWhetherTheServerIsUp(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		server := serve(t, database, "--prefix", "/points")
		listen := strings.TrimSuffix(strings.TrimPrefix(server.address, "http://"), "/points")
		_, port, _ := strings.Cut(listen, ":")
		for _, flags := range [][]string{{}, {"--ready"}} {
			run(t, append([]string{"health", "--listen", listen, "--prefix", "/points"}, flags...)...).ok()
			run(t, append([]string{"health", "--listen", "0.0.0.0:" + port, "--prefix", "/points"}, flags...)...).ok()
			run(t, append([]string{"health", "--listen", listen}, flags...)...).fails("404")
		}
		server.kill()
		run(t, "health", "--listen", listen, "--prefix", "/points").fails("connection refused")
	})
	run(t, "health", "--listen", "18802").fails("must be an address and a port")
}

func TestTheSecretMayBeInAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database, file := "sqlite:"+filepath.Join(dir, "a.db"), filepath.Join(dir, "secret")
	if err := os.WriteFile(file, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := func(variable string) string {
		return runWith(t, []string{variable}, "seal-key", "--database", database).ok()
	}
	if a, b := key("LAUREL_SECRET=0123456789abcdef"), key("LAUREL_SECRET_FILE="+file); a != b {
		t.Errorf("%s by the variable, %s by the file", a, b)
	}
	both := []string{"LAUREL_SECRET=0123456789abcdef", "LAUREL_SECRET_FILE=" + file}
	runWith(t, both, "seal-key", "--database", database).fails("not both")
	runWith(t, []string{"LAUREL_SECRET_FILE=" + file + ".none"}, "seal-key").fails("LAUREL_SECRET_FILE", "no such file")
	if err := os.WriteFile(file, []byte("a\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runWith(t, []string{"LAUREL_SECRET_FILE=" + file}, "seal-key").fails("must have one line")
}
