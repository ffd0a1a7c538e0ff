package completions

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// entered is what the caller typed, without space around it.
func (in CompleteInput) entered() string { return strings.TrimSpace(in.VerificationCode) }

// maxCodeInKey is how long a code may be and still stand in the key of its window; a longer one would not fit into an index.
const maxCodeInKey = 200

// codeWindow is the key of the window that a code opens where each code is good once.
func (in CompleteInput) codeWindow() string {
	code := in.entered()
	if len(code) > maxCodeInKey {
		sum := sha256.Sum256([]byte(code))
		return "code-hash:" + hex.EncodeToString(sum[:])
	}
	return "code:" + code
}
