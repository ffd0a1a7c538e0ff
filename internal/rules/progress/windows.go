package progress

import (
	"crypto/sha256"
	"encoding/hex"
)

// maxCodeInKey is the longest code that stands in the key of its window. A longer one, which would not fit into an
// index, is hashed.
const maxCodeInKey = 200

// CodeWindow returns the key of the window of a code.
func CodeWindow(code string) string {
	if len(code) > maxCodeInKey {
		sum := sha256.Sum256([]byte(code))
		return "code-hash:" + hex.EncodeToString(sum[:])
	}
	return "code:" + code
}
