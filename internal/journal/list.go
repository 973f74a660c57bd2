package journal

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Filter selects runs or sessions. The zero value selects all.
type Filter struct {
	Session string
	Agent   string
	File    string
	User    *string  // nil: all
	Status  []Status // of runs; none: all
	Since   time.Time
	// Text must be in a name, a title, an error, or a text of an entry, whatever the case
	// of its letters. Entries in JSON are searched for their strings.
	Text  string
	Limit int // 0: all
}

// querier is what a connection and a transaction have in common.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readRuns reads all runs of a query for columns.
func (j *Journal) readRuns(ctx context.Context, q querier, query string, args ...any) ([]*Run, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, stored(err)
	}
	defer rows.Close()
	var runs []*Run
	for rows.Next() {
		r, err := j.vault.readRun(rows.Scan)
		if err != nil {
			return runs, err
		}
		runs = append(runs, r)
	}
	return runs, stored(rows.Err())
}

// Run returns a run.
func (j *Journal) Run(ctx context.Context, id string) (*Run, error) {
	r, err := j.vault.readRun(j.db.QueryRowContext(ctx, "SELECT "+columns+" FROM run WHERE id = ?", id).Scan)
	if err != nil {
		return nil, j.notFound(ctx, err)
	}
	return r, j.enliven([]*Run{r})
}

// Runs returns the runs that a filter selects, the latest first.
func (j *Journal) Runs(ctx context.Context, f Filter) ([]*Run, error) {
	runs, err := j.allRuns(ctx, f.Session)
	if err != nil {
		return nil, err
	}
	runs = slices.DeleteFunc(runs, func(r *Run) bool {
		return !f.selects(r.Agent, r.File, r.User, r.Updated) || len(f.Status) > 0 && !slices.Contains(f.Status, r.Status)
	})
	slices.SortFunc(runs, latestFirst)
	if f.Text != "" {
		if runs, err = j.search(ctx, runs, f); err != nil {
			return runs, err
		}
	}
	runs = limited(runs, f.Limit)
	return runs, j.enliven(runs)
}

func latestFirst(a, b *Run) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(b.n, a.n)) }

// Left returns the runs that somebody has to go on with, the latest first: those that are running although no
// process has them, and those that are queued. It reads no others, so it notices no damage of theirs.
func (j *Journal) Left(ctx context.Context) ([]*Run, error) {
	runs, err := j.readRuns(ctx, j.db, "SELECT "+columns+" FROM run WHERE status IN (?, ?)", string(Running), string(Queued))
	if err != nil {
		return nil, err
	}
	if err := j.enliven(runs); err != nil {
		return nil, err
	}
	runs = slices.DeleteFunc(runs, func(r *Run) bool { return r.Live })
	slices.SortFunc(runs, latestFirst)
	return runs, nil
}

// allRuns returns the runs of a session, or all. What they say is not used to select them
// before their checksums were compared.
func (j *Journal) allRuns(ctx context.Context, session string) ([]*Run, error) {
	if session != "" {
		return j.readRuns(ctx, j.db, "SELECT "+columns+" FROM run WHERE session = ?", session)
	}
	t, err := j.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, stored(err)
	}
	defer t.Rollback()
	runs, err := j.readRuns(ctx, t, "SELECT "+columns+" FROM run NOT INDEXED")
	if err != nil {
		return nil, err
	}
	return runs, complete(ctx, t, "runs", len(runs))
}

func (f Filter) selects(agent, file, user string, updated time.Time) bool {
	return (f.Agent == "" || f.Agent == agent) && (f.User == nil || *f.User == user) && (f.File == "" || f.File == file) && !updated.Before(f.Since)
}

func limited[T any](list []T, limit int) []T {
	if limit <= 0 {
		return list
	}
	return list[:min(len(list), limit)]
}

// enliven finds out which runs a living process has.
func (j *Journal) enliven(runs []*Run) error {
	type life struct {
		live    bool
		process int
	}
	known := map[string]life{}
	for _, r := range runs {
		if r.owner == "" {
			continue
		}
		l, ok := known[r.owner]
		if !ok {
			var err error
			if l.live, l.process, err = alive(j.dir, r.owner); err != nil {
				return err
			}
			known[r.owner] = l
		}
		r.Live, r.Process = l.live, l.process
	}
	return nil
}

// search keeps the runs in which the text of a filter occurs.
func (j *Journal) search(ctx context.Context, runs []*Run, f Filter) ([]*Run, error) {
	var found []*Run
	for _, r := range runs {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		var ok bool
		for _, text := range []string{r.Title, r.Error, r.Session, r.Agent} {
			if ok = contains(text, f.Text); ok {
				r.Found = around(text, f.Text)
				break
			}
		}
		if !ok {
			entries, err := j.Entries(ctx, r.ID)
			if errors.Is(err, ErrNotFound) {
				continue // deleted in between
			}
			if err != nil {
				return found, err
			}
			for _, e := range entries {
				if r.Found, ok = findIn(e.Data, f.Text); ok {
					break
				}
			}
		}
		if ok {
			found = append(found, r)
		}
		if ok && len(found) == f.Limit {
			break
		}
	}
	return found, nil
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// findIn looks for a text in the strings of JSON, or in data that is no JSON.
func findIn(data []byte, part string) (string, bool) {
	if !json.Valid(data) {
		return around(string(data), part), contains(string(data), part)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) || err != nil {
			return "", false
		}
		if text, ok := token.(string); ok && contains(text, part) {
			return around(text, part), true
		}
	}
}

// around returns the line of a text in which another one occurs, shortened.
func around(text, part string) string {
	const before, most = 40, 160 // bytes
	at := max(strings.Index(strings.ToLower(text), strings.ToLower(part)), 0)
	start := min(max(at-before, 0), len(text))
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	end := min(start+most, len(text))
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return strings.Join(strings.Fields(text[start:end]), " ")
}

// Sessions returns the sessions that a filter selects, the latest first; Text also selects
// those with a run that it selects. Status selects nothing.
func (j *Journal) Sessions(ctx context.Context, f Filter) ([]*Session, error) {
	sessions, err := j.allSessions(ctx)
	if err != nil {
		return nil, err
	}
	sessions = slices.DeleteFunc(sessions, func(s *Session) bool {
		return !f.selects(s.Agent, s.File, s.User, s.Updated) || f.Session != "" && s.Name != f.Session
	})
	slices.SortFunc(sessions, func(a, b *Session) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.Name, b.Name)) })
	if f.Text != "" {
		if sessions, err = j.searchSessions(ctx, sessions, f.Text); err != nil {
			return nil, err
		}
	}
	return limited(sessions, f.Limit), nil
}

func (j *Journal) allSessions(ctx context.Context) ([]*Session, error) {
	t, err := j.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, stored(err)
	}
	defer t.Rollback()
	rows, err := t.QueryContext(ctx, "SELECT "+sessionColumns+" FROM session NOT INDEXED")
	if err != nil {
		return nil, stored(err)
	}
	defer rows.Close()
	var sessions []*Session
	for rows.Next() {
		s, err := j.vault.readSession(rows.Scan)
		if err != nil {
			return nil, err
		}
		sessions = append(sessions, s)
	}
	if err := rows.Err(); err != nil {
		return nil, stored(err)
	}
	return sessions, complete(ctx, t, "sessions", len(sessions))
}

// searchSessions keeps the sessions in which a text occurs.
func (j *Journal) searchSessions(ctx context.Context, sessions []*Session, text string) ([]*Session, error) {
	runs, err := j.Runs(ctx, Filter{Text: text})
	if err != nil {
		return nil, err
	}
	with := map[string]bool{}
	for _, r := range runs {
		with[r.Session] = true
	}
	return slices.DeleteFunc(sessions, func(s *Session) bool {
		return !with[s.Name] && !contains(s.Name, text) && !contains(s.Title, text)
	}), nil
}

// complete compares the number of rows that were read with the number of those written.
func complete(ctx context.Context, t *sql.Tx, what string, got int) error {
	var want int
	if err := t.QueryRowContext(ctx, "SELECT "+what+" FROM state").Scan(&want); err != nil {
		return stored(err)
	}
	if want != got {
		return number("the number of "+what, got, want)
	}
	return nil
}
