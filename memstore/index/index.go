// Package index keeps what was made of a store's files, so that the next
// process need not make it again.
//
//	x := index.New(filepath.Join(cacheDir, "facts.sqlite"))
//	defer x.Close()
//	rows, err := x.Load(ctx, "fact")
//	…
//	err = x.Save(ctx, "fact", changed, gone)
//
// It is a cache and no more: a missing, old or damaged file is begun anew
// without a word, a damaged row is left out, and nothing is lost with it. The
// file is SQLite's, so that several processes can share it. It is opened by
// the first Load or Save; New costs nothing.
package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// version is that of the layout and of what the rows mean; files of another
// are begun anew.
const version = 2

// Row is what is kept of one source file.
type Row struct {
	Key string
	// Stamp tells whether the source is still the one the row was made of.
	Stamp string
	Data  []byte
}

// Index is a cache of rows by kind and key. It is safe for concurrent use.
type Index struct {
	path string
	mu   sync.Mutex
	db   *sql.DB
}

// New returns the index in the file at path, which need not exist, and whose
// folder is created when needed.
func New(path string) *Index { return &Index{path: path} }

// Load returns the rows of a kind, in no order.
func (x *Index) Load(ctx context.Context, kind string) (rows []Row, err error) {
	err = x.with(ctx, func(db *sql.DB) error {
		rows = nil
		found, err := db.QueryContext(ctx, `SELECT key, stamp, sum, data FROM rows WHERE kind = ?`, kind)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			var r Row
			var sum int64
			if err := found.Scan(&r.Key, &r.Stamp, &sum, &r.Data); err != nil {
				return err
			}
			if sum == checksum(kind, r) {
				rows = append(rows, r)
			}
		}
		return found.Err()
	})
	return rows, err
}

// Get returns the rows of a kind that have one of the keys, in no order.
func (x *Index) Get(ctx context.Context, kind string, keys []string) (rows []Row, err error) {
	err = x.with(ctx, func(db *sql.DB) error {
		rows = nil
		find, err := db.PrepareContext(ctx, `SELECT stamp, sum, data FROM rows WHERE kind = ? AND key = ?`)
		if err != nil {
			return err
		}
		defer find.Close()
		for _, key := range keys {
			r := Row{Key: key}
			var sum int64
			switch err := find.QueryRowContext(ctx, kind, key).Scan(&r.Stamp, &sum, &r.Data); {
			case errors.Is(err, sql.ErrNoRows):
			case err != nil:
				return err
			case sum == checksum(kind, r):
				rows = append(rows, r)
			}
		}
		return nil
	})
	return rows, err
}

// Clear removes all rows of a kind.
func (x *Index) Clear(ctx context.Context, kind string) error {
	return x.with(ctx, func(db *sql.DB) error {
		_, err := db.ExecContext(ctx, `DELETE FROM rows WHERE kind = ?`, kind)
		return err
	})
}

// Size returns how many bytes the index takes on the disk.
func (x *Index) Size() (bytes int64) {
	for _, end := range []string{"", "-wal", "-whole"} {
		if info, err := os.Stat(x.path + end); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
}

// Save adds or replaces rows of a kind and removes those of the keys that are
// gone, all or nothing.
func (x *Index) Save(ctx context.Context, kind string, put []Row, gone []string) error {
	return x.with(ctx, func(db *sql.DB) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		add, err := tx.PrepareContext(ctx, `INSERT OR REPLACE INTO rows (kind, key, stamp, sum, data) VALUES (?, ?, ?, ?, ?)`)
		if err != nil {
			return err
		}
		for _, r := range put {
			if _, err := add.ExecContext(ctx, kind, r.Key, r.Stamp, checksum(kind, r), r.Data); err != nil {
				return err
			}
		}
		for _, key := range gone {
			if _, err := tx.ExecContext(ctx, `DELETE FROM rows WHERE kind = ? AND key = ?`, kind, key); err != nil {
				return err
			}
		}
		return tx.Commit()
	})
}

func checksum(kind string, r Row) int64 {
	h := crc32.NewIEEE()
	for _, part := range [][]byte{[]byte(kind), []byte(r.Key), []byte(r.Stamp), r.Data} {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.Write(part)
	}
	return int64(h.Sum32())
}

// Drop removes the file and all that belongs to it from the disk.
func (x *Index) Drop() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.drop()
}

func (x *Index) drop() error {
	err := x.close()
	for _, end := range []string{"", "-wal", "-shm", "-journal", "-whole", "-whole.tmp"} {
		if e := os.Remove(x.path + end); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// Close closes the file if it was opened. The index can be used again.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.close()
}

func (x *Index) close() error {
	if x.db == nil {
		return nil
	}
	db := x.db
	x.db = nil
	return db.Close()
}

// with calls f, once more on a new file when the first turns out to be bad.
func (x *Index) with(ctx context.Context, f func(*sql.DB) error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	err := x.try(ctx, f)
	if err == nil || ctx.Err() != nil || !damaged(err) {
		return err
	}
	if err := x.drop(); err != nil {
		return err
	}
	return x.try(ctx, f)
}

func (x *Index) try(ctx context.Context, f func(*sql.DB) error) error {
	if x.db == nil {
		db, err := open(ctx, x.path)
		if err != nil {
			return fmt.Errorf("index %q: %w", x.path, err)
		}
		x.db = db
	}
	if err := f(x.db); err != nil {
		return fmt.Errorf("index %q: %w", x.path, err)
	}
	return nil
}

var errOld = errors.New("made by another version")

// damaged reports whether a new file would cure the error.
func damaged(err error) bool {
	if errors.Is(err, errOld) {
		return true
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA,
		sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_MISMATCH:
		return true
	case sqlite3.SQLITE_IOERR:
		return e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ
	}
	return false
}

func open(ctx context.Context, path string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	f.Close()
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	db, err := sql.Open("sqlite", name.String()+
		"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(2000)&_pragma=synchronous(NORMAL)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := prepare(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func prepare(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var have, tables int
	if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return err
	}
	if have == version {
		return nil
	}
	if have != 0 || tables != 0 {
		return errOld
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(`
		CREATE TABLE rows (
			kind TEXT NOT NULL, key TEXT NOT NULL, stamp TEXT NOT NULL, sum INTEGER NOT NULL, data BLOB,
			PRIMARY KEY (kind, key)
		) WITHOUT ROWID;
		PRAGMA user_version = %d`, version)); err != nil {
		return err
	}
	return tx.Commit()
}
