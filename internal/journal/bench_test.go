package journal

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// stepText is a step of 2 KB, as JSON with words and numbers.
func stepText() []byte {
	text := []byte(`{"text":"`)
	for len(text) < 2046 {
		text = fmt.Appendf(text, "%s %x ", []string{"the", "order", "of", "customer", "was", "shipped", "to", "berlin", "on"}[rand.IntN(9)], rand.IntN(1<<20))
	}
	return append(text[:2046], `"}`...)
}

// BenchmarkSteps counts steps per second beside the floor: a bare insert of the same text
// in a transaction of its own, flushed as ours are, by as many goroutines.
func BenchmarkSteps(b *testing.B) {
	for _, sessions := range []int{1, 64} {
		b.Run(fmt.Sprintf("floor-%d", sessions), func(b *testing.B) { benchFloor(b, sessions) })
		b.Run(fmt.Sprintf("safe-%d", sessions), func(b *testing.B) { benchSteps(b, sessions, false) })
		b.Run(fmt.Sprintf("once-%d", sessions), func(b *testing.B) { benchSteps(b, sessions, true) })
	}
}

func parallel(b *testing.B, sessions int, step func(session int) error) {
	var next atomic.Int64
	var wait sync.WaitGroup
	b.ResetTimer()
	for s := range sessions {
		wait.Go(func() {
			for next.Add(1) <= int64(b.N) {
				if err := step(s); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}

func benchFloor(b *testing.B, sessions int) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "floor.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(60000)")
	must(b, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("CREATE TABLE step (id INTEGER PRIMARY KEY, run TEXT, data BLOB)")
	must(b, err)
	insert, err := db.Prepare("INSERT INTO step (run, data) VALUES (?, ?)")
	must(b, err)
	text := stepText()
	parallel(b, sessions, func(int) error {
		_, err := insert.Exec("run", text)
		return err
	})
}

func benchSteps(b *testing.B, sessions int, intents bool) {
	dir := filepath.Join(b.TempDir(), "state")
	j := opened(b, dir, nil)
	claims := make([]*Claim, sessions)
	for i := range claims {
		claims[i] = begun(b, j, Run{})
	}
	text := stepText()
	parallel(b, sessions, func(s int) error {
		if intents {
			if err := claims[s].Append(context.Background(), Entry{Key: "1", Kind: "intent"}); err != nil {
				return err
			}
		}
		return claims[s].Append(context.Background(), Entry{Key: "1", Kind: "outcome", Data: text})
	})
	b.StopTimer()
	must(b, j.Close())
	info, err := os.Stat(filepath.Join(dir, fileName))
	must(b, err)
	b.ReportMetric(float64(info.Size())/float64(b.N), "B/step")
}
