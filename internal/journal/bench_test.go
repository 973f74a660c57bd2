package journal

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stepText is a step of 2 KB, as JSON with words and numbers.
func stepText() []byte {
	text := []byte(`{"text":"`)
	for len(text) < 2046 {
		text = fmt.Appendf(text, "%s %x ", []string{"the", "order", "of", "customer", "was", "shipped", "to", "berlin", "on"}[rand.IntN(9)], rand.IntN(1<<20))
	}
	return append(text[:2046], `"}`...)
}

// BenchmarkSteps compares steps with their floor: a bare insert of the same text in a
// transaction of its own, flushed as ours are, by as many goroutines. Rounds of each follow
// one another, so that all of them meet the same disk, and the medians of the rounds are
// compared.
func BenchmarkSteps(b *testing.B) {
	for _, sessions := range []int{1, 64} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			text := stepText()
			insert := newFloor(b)
			floor := func(int) error { _, err := insert.Exec("run", text); return err }
			safe := &steps{text: text}
			once := &steps{text: text, intents: true}
			safe.begin(b, sessions)
			once.begin(b, sessions)
			const round = 128
			var took [3][]float64 // seconds of a round
			n := 0
			for b.Loop() {
				n += round
				for i, step := range []func(int) error{floor, safe.step, once.step} {
					took[i] = append(took[i], parallel(b, sessions, round, step).Seconds())
				}
			}
			b.ReportMetric(round/median(took[0]), "floor/s")
			b.ReportMetric(round/median(took[1]), "safe/s")
			b.ReportMetric(round/median(took[2]), "once/s")
			b.ReportMetric(median(took[0])/median(took[1]), "safe/floor")
			b.ReportMetric(median(took[0])/median(took[2]), "once/floor")
			b.ReportMetric(safe.size(b)/float64(n), "B/step")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// parallel makes so many steps, and returns how long that took.
func parallel(b *testing.B, sessions, all int, step func(session int) error) time.Duration {
	var next atomic.Int64
	var wait sync.WaitGroup
	start := time.Now()
	for s := range sessions {
		wait.Go(func() {
			for next.Add(1) <= int64(all) {
				if err := step(s); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return time.Since(start)
}

func newFloor(b *testing.B) *sql.Stmt {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "floor.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(60000)")
	must(b, err)
	b.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.Exec("CREATE TABLE step (id INTEGER PRIMARY KEY, run TEXT, data BLOB)")
	must(b, err)
	insert, err := db.Prepare("INSERT INTO step (run, data) VALUES (?, ?)")
	must(b, err)
	return insert
}

// steps are those of some runs of one journal.
type steps struct {
	text    []byte
	intents bool
	dir     string
	journal *Journal
	claims  []*Claim
}

func (s *steps) begin(b *testing.B, sessions int) {
	s.dir = filepath.Join(b.TempDir(), "state")
	s.journal = opened(b, s.dir, nil)
	s.claims = make([]*Claim, sessions)
	for i := range s.claims {
		s.claims[i] = begun(b, s.journal, Run{})
	}
}

func (s *steps) step(session int) error {
	if s.intents {
		if err := s.claims[session].Append(context.Background(), Entry{Key: "1", Kind: "intent"}); err != nil {
			return err
		}
	}
	return s.claims[session].Append(context.Background(), Entry{Key: "1", Kind: "outcome", Data: s.text})
}

// size closes the journal, and returns the bytes of its file.
func (s *steps) size(b *testing.B) float64 {
	must(b, s.journal.Close())
	info, err := os.Stat(filepath.Join(s.dir, fileName))
	must(b, err)
	return float64(info.Size())
}
