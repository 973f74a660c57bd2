package journal

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
)

const proofText = "gramc journal"

// bringUp makes the tables of a new journal, brings those of an older version up to date,
// and refuses a file that is no journal, is newer, or has lost commits.
func bringUp(t *tx, mark last) error {
	var app, have int64
	if err := t.row("PRAGMA application_id", nil, &app); err != nil {
		return err
	}
	if err := t.row("PRAGMA user_version", nil, &have); err != nil {
		return err
	}
	var tables int64
	if err := t.row("SELECT count(*) FROM sqlite_schema", nil, &tables); err != nil {
		return err
	}
	switch {
	case tables == 0 && mark.commits > 0:
		return &DamageError{What: fmt.Sprintf("it is empty, but %d commits were written to it", mark.commits)}
	case tables == 0 && app == 0:
	case app != application:
		return ErrNotJournal
	case have > version:
		return fmt.Errorf("%w: its schema has the version %d, and this gramc knows %d", ErrNewer, have, version)
	case have < 1 || have < 0:
		return &DamageError{What: fmt.Sprintf("its schema has the version %d", have)}
	}
	if err := migrate(t, migrations[:], have); err != nil {
		return err
	}
	var commits int64
	if err := t.row("SELECT commits FROM state", nil, &commits); err == ErrNotFound {
		return &DamageError{What: "its state is missing"}
	} else if err != nil {
		return err
	}
	return mark.check(t, commits)
}

// migrate applies what leads from a version of the schema to the last one.
func migrate(t *tx, steps []string, have int64) error {
	for v := have; v < int64(len(steps)); v++ {
		err := t.transaction(func() error {
			if _, err := t.conn.ExecContext(t.ctx, steps[v]); err != nil {
				return stored(err)
			}
			_, err := t.conn.ExecContext(t.ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", application, v+1))
			if err != nil {
				return stored(err)
			}
			if v > 0 { // others that have the journal open see by the count that somebody has written
				_, err = t.exec("UPDATE state SET commits = commits + 1")
				return err
			}
			_, err = t.exec("INSERT INTO state VALUES (1, 0, 0, 0, 0, ?, x'')", salt())
			return err
		})
		if err != nil {
			return fmt.Errorf("the schema %d of the journal: %w", v+1, err)
		}
	}
	return nil
}

func salt() []byte {
	s := make([]byte, saltSize)
	_, _ = rand.Read(s) // it never fails
	return s
}

// unlock returns the vault of the journal. The first key that is given to a journal
// without runs becomes its key.
func unlock(t *tx, key []byte) (vault, error) {
	var salt, proof []byte
	var commits int64
	if err := t.row("SELECT salt, proof, commits FROM state", nil, &salt, &proof, &commits); err != nil {
		return vault{}, err
	}
	switch {
	case len(key) == 0 && len(proof) > 0:
		return vault{}, ErrKeyNeeded
	case len(key) > 0 && len(proof) == 0 && commits > 0:
		return vault{}, ErrNotEncrypted
	}
	v, err := newVault(key, salt)
	if err != nil || len(key) == 0 {
		return v, err
	}
	if len(proof) > 0 {
		text, err := v.open("proof", nil, proof)
		if err != nil || subtle.ConstantTimeCompare(text, []byte(proofText)) == 0 {
			return vault{}, ErrWrongKey
		}
		return v, nil
	}
	if proof, err = v.seal("proof", nil, []byte(proofText)); err != nil {
		return vault{}, err
	}
	err = t.transaction(func() error {
		_, err := t.exec("UPDATE state SET proof = ?, commits = commits + 1", proof)
		return err
	})
	return v, err
}
