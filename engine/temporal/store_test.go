package temporal_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/gram-lang/gramc/engine/temporal"
)

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	checkStore(t, temporal.Files(dir))
	if _, err := temporal.Files(dir).Get(t.Context(), "../x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path is no hash: %v", err)
	}
	hash, err := temporal.Files(dir).Put(t.Context(), []byte("true"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, hash), []byte("forged"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := temporal.Files(dir).Get(t.Context(), hash); err == nil {
		t.Error("other data than was put is returned")
	}
}

func TestPostgres(t *testing.T) {
	url := startPostgres(t)
	p, err := temporal.OpenPostgres(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	checkStore(t, p)
	again, err := temporal.OpenPostgres(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	checkStore(t, again)
	if n, err := p.Expire(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("%d rows are old: %v", n, err)
	}
	keptByUse(t, p, url)
	if n, err := p.Expire(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("%d rows are deleted: %v", n, err)
	}
}

// keptByUse reads one of three rows that are old, and has the others expire.
func keptByUse(t *testing.T, p *temporal.Postgres, url string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	old := time.Now().Add(-72 * time.Hour)
	if _, err := c.Exec(t.Context(), "UPDATE gram_data SET used = $1", old); err != nil {
		t.Fatal(err)
	}
	hash, err := p.Put(t.Context(), []byte("is read"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), "UPDATE gram_data SET used = $1", old); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Get(t.Context(), hash); err != nil {
		t.Fatal(err)
	}
	if n, err := p.Expire(t.Context(), old.Add(time.Hour)); n != 3 || err != nil {
		t.Errorf("%d rows are deleted: %v", n, err)
	}
	if _, err := p.Get(t.Context(), hash); err != nil {
		t.Errorf("what was read is not kept: %v", err)
	}
}

// checkStore puts and gets data, also twice.
func checkStore(t *testing.T, s temporal.Store) {
	t.Helper()
	for _, data := range [][]byte{nil, {0, 1, 0xff}, bytes.Repeat([]byte("8 MiB..."), 1<<20)} {
		hash, err := s.Put(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.Put(t.Context(), data); again != hash || err != nil {
			t.Errorf("the hash is %s, and was %s: %v", again, hash, err)
		}
		if got, err := s.Get(t.Context(), hash); !bytes.Equal(got, data) || err != nil {
			t.Errorf("%d bytes come back as %d: %v", len(data), len(got), err)
		}
	}
	if _, err := s.Get(t.Context(), "0000"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unknown hash has the error %v", err)
	}
}

// startPostgres starts PostgreSQL for a test, and returns its URL.
func startPostgres(t *testing.T) string {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil || len(found) == 0 {
		t.Skip("PostgreSQL is not installed")
	}
	bin, dir := filepath.Dir(found[len(found)-1]), t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	as := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, name), args...)
		if os.Getuid() == 0 { // it refuses to run as root
			const nobody = 65534
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		c.Dir = "/"
		return c
	}
	data := filepath.Join(dir, "data")
	for _, path := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(data, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := as("initdb", "-D", data, "-U", "gram", "-A", "trust", "--no-sync").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := as("postgres", "-D", data, "-p", strconv.Itoa(port), "-h", "127.0.0.1", "-k", data, "-F")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
	})
	for range 600 {
		if as("pg_isready", "-h", "127.0.0.1", "-p", strconv.Itoa(port)).Run() == nil {
			return "postgres://gram@127.0.0.1:" + strconv.Itoa(port) + "/postgres"
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("PostgreSQL does not start")
	return ""
}
