package temporal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Postgres is a store in a table of PostgreSQL, "gram_data".
type Postgres struct{ pool *pgxpool.Pool }

// OpenPostgres connects to a database, and makes the table if it is not there. The URL is as
// libpq has it: postgres://user:password@host:5432/name.
func OpenPostgres(ctx context.Context, url string) (*Postgres, error) {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, err
	}
	const table = `CREATE TABLE IF NOT EXISTS gram_data (
		hash text PRIMARY KEY,
		data bytea NOT NULL,
		used timestamptz NOT NULL DEFAULT now()
	); CREATE INDEX IF NOT EXISTS gram_data_used ON gram_data (used)`
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// Two processes that make the same table at the same time disturb each other.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('gram_data'))`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, table)
		return err
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("the table of the store: %w", err)
	}
	return &Postgres{pool}, nil
}

// Close ends the connections.
func (p *Postgres) Close() { p.pool.Close() }

// Put writes a row. One that is there counts as used now.
func (p *Postgres) Put(ctx context.Context, data []byte) (string, error) {
	hash := hashOf(data)
	if data == nil {
		data = []byte{}
	}
	touched, err := p.pool.Exec(ctx, `UPDATE gram_data SET used = now() WHERE hash = $1`, hash)
	if err != nil || touched.RowsAffected() > 0 {
		return hash, err
	}
	_, err = p.pool.Exec(ctx, `INSERT INTO gram_data (hash, data) VALUES ($1, $2) ON CONFLICT (hash) DO UPDATE SET used = now()`, hash, data)
	return hash, err
}

// Get reads a row. It counts as used now, to the day: the conversation of a new run is in rows that earlier runs
// have put.
func (p *Postgres) Get(ctx context.Context, hash string) ([]byte, error) {
	var data []byte
	var old bool
	err := p.pool.QueryRow(ctx, `SELECT data, used < now() - interval '1 day' FROM gram_data WHERE hash = $1`, hash).Scan(&data, &old)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("the store has no %s: %w", hash, fs.ErrNotExist)
	}
	if err == nil && old {
		_, err = p.pool.Exec(ctx, `UPDATE gram_data SET used = now() WHERE hash = $1`, hash)
	}
	if err != nil {
		return nil, err
	}
	return data, checkHash(hash, data)
}

// Expire deletes what was used for the last time before a moment, and returns how much that is. Runs that need
// it cannot go on, and cannot be read: the moment must be a day before the last step of all runs that the server
// keeps, and of those that still wait.
func (p *Postgres) Expire(ctx context.Context, before time.Time) (int64, error) {
	deleted, err := p.pool.Exec(ctx, `DELETE FROM gram_data WHERE used < $1`, before)
	return deleted.RowsAffected(), err
}
