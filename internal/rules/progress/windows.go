package progress

import (
	"crypto/sha256"
	"encoding/hex"
)

// maxCodeInKey is how long a code may be and still stand in the key of its window; a longer one would not fit into an
// index.
const maxCodeInKey = 200

// CodeWindow is the key of the window that a code opens where each code is good once.
func CodeWindow(code string) string {
	if len(code) > maxCodeInKey {
		sum := sha256.Sum256([]byte(code))
		return "code-hash:" + hex.EncodeToString(sum[:])
	}
	return "code:" + code
}
