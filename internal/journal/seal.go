package journal

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"sync"
)

// What the first byte of stored data says.
const (
	packed = 1 << iota // with DEFLATE, after the length of the data
	sealed             // with AES-256-GCM, after the nonce
)

const (
	minPacked     = 96        // bytes; less is not worth packing
	smallPacked   = 4 << 10   // bytes; up to here time counts more than size
	maxData       = 256 << 20 // bytes of one entry
	saltSize      = 16
	minPassphrase = 12      // bytes
	iterations    = 600_000 // of PBKDF2 with SHA-256, as OWASP has it
)

// A vault packs what is stored, and encrypts it if there is a key. It may be shared.
type vault struct {
	master []byte // nil: nothing is encrypted
}

// newVault derives the key of a journal. A key of 32 random bytes, in hexadecimal or
// base64 or as it is, is used directly; anything else counts as a passphrase.
func newVault(key, salt []byte) (vault, error) {
	if len(key) == 0 {
		return vault{}, nil
	}
	text := strings.TrimSpace(string(key))
	if raw := randomKey(text); raw != nil {
		master, err := hkdf.Key(sha256.New, raw, salt, "gramc journal", 32)
		return vault{master}, err
	}
	if len(text) < minPassphrase {
		return vault{}, fmt.Errorf("the key of the journal has %d bytes; a passphrase has at least %d, and 32 random bytes, as of \"openssl rand -base64 32\", are better", len(text), minPassphrase)
	}
	master, err := pbkdf2.Key(sha256.New, text, salt, iterations, 32)
	return vault{master}, err
}

// randomKey returns the 32 bytes that a text spells, or nil.
func randomKey(text string) []byte {
	if raw, err := hex.DecodeString(text); err == nil && len(raw) == 32 {
		return raw
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if raw, err := encoding.DecodeString(text); err == nil && len(raw) == 32 {
			return raw
		}
	}
	return nil
}

// cipher returns the cipher for what belongs to one run, session or program, so that
// no key seals more than a random nonce allows.
func (v vault) cipher(whose string) (cipher.AEAD, error) {
	key, err := hkdf.Expand(sha256.New, v.master, whose, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal returns data as it is stored. The place binds it to where it is stored.
func (v vault) seal(whose string, place, data []byte) ([]byte, error) {
	if len(data) > maxData {
		return nil, fmt.Errorf("%d bytes are too many for the journal, which takes %d", len(data), maxData)
	}
	out := pack(data)
	if v.master == nil {
		return out, nil
	}
	aead, err := v.cipher(whose)
	if err != nil {
		return nil, err
	}
	head := append(make([]byte, 0, 1+aead.NonceSize()+len(out)+aead.Overhead()), out[0]|sealed)
	nonce := head[1 : 1+aead.NonceSize()]
	_, _ = rand.Read(nonce) // it never fails
	return aead.Seal(head[:1+len(nonce)], nonce, out[1:], additional(out[0]|sealed, place)), nil
}

// open returns the data that seal has stored at this place.
func (v vault) open(whose string, place, stored []byte) ([]byte, error) {
	if len(stored) == 0 {
		return nil, errors.New("it is empty")
	}
	flags, rest := stored[0], stored[1:]
	if flags&sealed != 0 {
		if v.master == nil {
			return nil, ErrKeyNeeded
		}
		aead, err := v.cipher(whose)
		if err != nil {
			return nil, err
		}
		if len(rest) < aead.NonceSize() {
			return nil, errors.New("it is too short")
		}
		if rest, err = aead.Open(nil, rest[:aead.NonceSize()], rest[aead.NonceSize():], additional(flags, place)); err != nil {
			return nil, err
		}
	}
	if flags&packed != 0 {
		return unpack(rest)
	}
	return rest, nil
}

func additional(flags byte, place []byte) []byte { return append([]byte{flags}, place...) }

var (
	packers      = newPackers(flate.BestSpeed)
	smallPackers = newPackers(flate.HuffmanOnly) // in less than half the time, and a third larger
)

func newPackers(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, _ := flate.NewWriter(io.Discard, level) // the level is valid
		return w
	}}
}

// pack returns data after its flags, shorter if that is possible.
func pack(data []byte) []byte {
	if len(data) < minPacked {
		return append([]byte{0}, data...)
	}
	pool := packers
	if len(data) <= smallPacked {
		pool = smallPackers
	}
	var out bytes.Buffer
	out.Grow(len(data) + len(data)/8 + 16)
	out.WriteByte(packed)
	out.Write(binary.AppendUvarint(nil, uint64(len(data))))
	w := pool.Get().(*flate.Writer)
	defer pool.Put(w)
	w.Reset(&out)
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err == nil && out.Len() < len(data) {
		return out.Bytes()
	}
	return append([]byte{0}, data...)
}

func unpack(stored []byte) ([]byte, error) {
	size, n := binary.Uvarint(stored)
	if n <= 0 || size > maxData {
		return nil, errors.New("its length is wrong")
	}
	var out bytes.Buffer
	out.Grow(int(size) + bytes.MinRead)
	_, err := out.ReadFrom(io.LimitReader(flate.NewReader(bytes.NewReader(stored[n:])), int64(size)+1))
	if err == nil && uint64(out.Len()) != size {
		err = errors.New("its length is wrong")
	}
	return out.Bytes(), err
}

// A place says what a row is about. It is what checksums and ciphers bind data to.
type place []byte

func (p place) text(s string) place {
	return append(binary.AppendUvarint(p, uint64(len(s))), s...)
}

func (p place) number(n int64) place { return binary.AppendVarint(p, n) }

// sum returns the checksum of a row: its place, and the data in it.
func (p place) sum(data ...[]byte) int64 {
	sum := crc32.ChecksumIEEE(p)
	for _, d := range data {
		sum = crc32.Update(sum, crc32.IEEETable, binary.AppendUvarint(nil, uint64(len(d))))
		sum = crc32.Update(sum, crc32.IEEETable, d)
	}
	return int64(sum)
}
