package journal

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
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
			return runs, stored(err)
		}
		runs = append(runs, r)
	}
	return runs, stored(rows.Err())
}

// Run returns a run.
func (j *Journal) Run(ctx context.Context, id string) (*Run, error) {
	r, err := j.oneRun(j.db.QueryRowContext(ctx, "SELECT "+columns+" FROM run WHERE id = ?", id).Scan)
	if err != nil {
		return nil, j.notFound(ctx, err)
	}
	return r, j.enliven([]*Run{r})
}

// Runs returns the runs that a filter selects, the latest first.
func (j *Journal) Runs(ctx context.Context, f Filter) ([]*Run, error) {
	if err := j.complete(ctx, "run", "runs"); err != nil {
		return nil, err
	}
	where, args := f.where("session", f.Session)
	where, args = statusIn(where, args, f.Status)
	runs, err := j.readRuns(ctx, j.db, "SELECT "+columns+" FROM run WHERE "+where+" ORDER BY updated DESC, n DESC"+f.limit(), args...)
	if err != nil {
		return runs, err
	}
	if f.Text != "" {
		if runs, err = j.search(ctx, runs, f); err != nil {
			return runs, err
		}
	}
	return runs, j.enliven(runs)
}

// where returns what SQL can select, and its arguments.
func (f Filter) where(session, name string) (string, []any) {
	where, args := "updated >= ?", []any{max(f.Since.UnixMicro(), 0)}
	for _, c := range []struct{ column, value string }{{session, name}, {"agent", f.Agent}, {"file", f.File}} {
		if c.value != "" {
			where, args = where+" AND "+c.column+" = ?", append(args, c.value)
		}
	}
	if f.User != nil {
		where, args = where+" AND user = ?", append(args, *f.User)
	}
	return where, args
}

func statusIn(where string, args []any, status []Status) (string, []any) {
	if len(status) == 0 {
		return where, args
	}
	for _, s := range status {
		args = append(args, string(s))
	}
	return where + " AND status IN (?" + strings.Repeat(", ?", len(status)-1) + ")", args
}

// limit returns the limit of a query, unless the rest is selected later.
func (f Filter) limit() string {
	if f.Limit <= 0 || f.Text != "" {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d", f.Limit)
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
	if err := j.complete(ctx, "session", "sessions"); err != nil {
		return nil, err
	}
	where, args := f.where("name", f.Session)
	rows, err := j.db.QueryContext(ctx, "SELECT "+sessionColumns+" FROM session WHERE "+where+" ORDER BY updated DESC, name"+f.limit(), args...)
	if err != nil {
		return nil, stored(err)
	}
	defer rows.Close()
	var sessions []*Session
	for rows.Next() {
		s, err := j.vault.readSession(rows.Scan)
		if err != nil {
			return sessions, err
		}
		sessions = append(sessions, s)
	}
	if err := rows.Err(); err != nil || f.Text == "" {
		return sessions, stored(err)
	}
	if sessions, err = j.searchSessions(ctx, sessions, f.Text); f.Limit > 0 {
		sessions = sessions[:min(len(sessions), f.Limit)]
	}
	return sessions, err
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

// complete compares the number of rows of a table with the number of those written.
func (j *Journal) complete(ctx context.Context, table, column string) error {
	var want, got int64
	err := j.db.QueryRowContext(ctx, "SELECT (SELECT "+column+" FROM state), (SELECT count(*) FROM "+table+")").Scan(&want, &got)
	if err != nil {
		return stored(err)
	}
	if want != got {
		return number("the number of "+column, got, want)
	}
	return nil
}
