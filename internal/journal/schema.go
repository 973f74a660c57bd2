package journal

// application marks the file as a journal: "gram".
const application = 0x6772616d

// version is the version of the schema that this package writes.
const version = 1

// migrations has, at index n, what leads from version n of the schema to n+1. A
// released one never changes.
var migrations = [version]string{
	// Entries of one run lie next to each other: their id is the number of the run
	// times 2³² plus their place in it. Columns named sum have a checksum of their
	// row, by which damage is noticed that SQLite does not notice; the numbers in
	// state and in run.entries reveal rows that have gone. state.commits counts the
	// transactions that do more than append to runs. While
	// state.remains is 1, the file has traces of what was deleted.
	0: `
CREATE TABLE state (
	id       INTEGER PRIMARY KEY CHECK (id = 1),
	commits  INTEGER NOT NULL,
	runs     INTEGER NOT NULL,
	sessions INTEGER NOT NULL,
	remains  INTEGER NOT NULL,
	salt     BLOB NOT NULL,
	proof    BLOB NOT NULL
);
CREATE TABLE program (
	hash TEXT PRIMARY KEY,
	data BLOB NOT NULL
);
CREATE TABLE session (
	name    TEXT PRIMARY KEY,
	head    TEXT NOT NULL,
	agent   TEXT NOT NULL,
	file    TEXT NOT NULL,
	user    TEXT NOT NULL,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	keep    INTEGER NOT NULL,
	title   BLOB NOT NULL,
	data    BLOB NOT NULL,
	sum     INTEGER NOT NULL
);
CREATE TABLE run (
	n       INTEGER PRIMARY KEY AUTOINCREMENT,
	id      TEXT NOT NULL UNIQUE,
	session TEXT NOT NULL,
	parent  TEXT NOT NULL,
	agent   TEXT NOT NULL,
	file    TEXT NOT NULL,
	user    TEXT NOT NULL,
	program TEXT NOT NULL,
	status  TEXT NOT NULL,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	epoch   INTEGER NOT NULL,
	owner   TEXT NOT NULL,
	cancel  INTEGER NOT NULL,
	entries INTEGER NOT NULL,
	title   BLOB NOT NULL,
	error   BLOB NOT NULL,
	sum     INTEGER NOT NULL
);
CREATE INDEX run_session ON run (session);
CREATE INDEX run_parent ON run (parent) WHERE parent <> '';
CREATE INDEX run_owner ON run (owner) WHERE owner <> '';
CREATE TABLE entry (
	id    INTEGER PRIMARY KEY,
	key   TEXT NOT NULL,
	kind  TEXT NOT NULL,
	epoch INTEGER NOT NULL,
	time  INTEGER NOT NULL,
	data  BLOB NOT NULL,
	sum   INTEGER NOT NULL
);
`,
}
