package wallets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"laurel.example/laurel/internal/evm"
)

// TONProof is the proof of a TON wallet, as wallets return it (TON Connect, ton_proof).
type TONProof struct {
	PublicKey string `json:"publicKey" doc:"32 bytes in hexadecimal"`
	StateInit string `json:"walletStateInit" doc:"Code and data of the wallet in base64, whose hash is the address"`
	Proof     struct {
		Timestamp int64 `json:"timestamp" doc:"Seconds since 1970"`
		Domain    struct {
			LengthBytes int64  `json:"lengthBytes,omitempty"`
			Value       string `json:"value"`
		} `json:"domain"`
		Signature string `json:"signature" doc:"Base64"`
		Payload   string `json:"payload" doc:"The nonce"`
	} `json:"proof"`
}

// tonWallet says where the public key stands in the data of a version of wallet contracts: behind so many bits.
var tonWallets = map[string]uint{
	"a0cfc2c48aee16a271f2cfc0b7382d81756cecb1017d077faaab3bb602f6868c": 32, // v1r1
	"d4902fcc9fad74698fa8e353220a68da0dcf72e32bcb2eb9ee04217c17d3062c": 32, // v1r2
	"587cc789eff1c84f46ec3797e45fc809a14ff5ae24f1e0c7a6a99cc9dc9061ff": 32, // v1r3
	"5c9a5e68c108e18721a07c42f9956bfb39ad77ec6d624b60c576ec88eee65329": 32, // v2r1
	"fe9530d3243853083ef2ef0b4c2908c0abf6fa1c31ea243aacaa5bf8c7d753f1": 32, // v2r2
	"b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581": 64, // v3r1: a number of the wallet comes before it
	"84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599": 64, // v3r2
	"feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0": 64, // v4r2
	"20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f": 65, // v5r1: and a flag
}

// maxStateInit bounds the text of the code and data of a wallet.
const maxStateInit = 16 << 10

// verifyTON checks a proof of a TON wallet: an ed25519 signature over address, domain, time and payload. The address is
// the hash of code and data of the wallet; the code must be that of a known wallet, and the data hold the public key.
func verifyTON(p Proof) (Statement, bool, *Question) {
	if p.TON == nil || len(p.TON.StateInit) > maxStateInit {
		return Statement{}, false, nil
	}
	proof := p.TON.Proof
	s := Statement{
		Nonce: proof.Payload, IssuedAt: time.Unix(proof.Timestamp, 0).UTC(), Domain: proof.Domain.Value,
	}
	key, err := hex.DecodeString(p.TON.PublicKey)
	workchain, hash, isAddress := evm.DecodeTON(p.Address)
	signature, errSignature := base64.StdEncoding.DecodeString(proof.Signature)
	ok := err == nil && errSignature == nil && isAddress && isNonce(s.Nonce) && s.Domain != "" &&
		bytes.Equal(key, tonKey(p.TON.StateInit, hash)) &&
		isSignedByKey(key, tonHash(workchain, hash, s), signature)
	return s, ok, nil
}

// tonKey returns the public key in the data of a wallet, if the hash of its state is that of the address and its code
// is known; nil otherwise.
func tonKey(stateInit string, hash []byte) []byte {
	b, err := base64.StdEncoding.DecodeString(stateInit)
	if err != nil {
		return nil
	}
	state, err := parseCells(b)
	if err != nil || !bytes.Equal(state.Hash(), hash) || state.RefsNum() != 2 || !isPlainState(state) {
		return nil
	}
	code, errCode := state.PeekRef(0)
	data, errData := state.PeekRef(1)
	if errCode != nil || errData != nil {
		return nil
	}
	skipped, isKnown := tonWallets[hex.EncodeToString(code.Hash())]
	reader := data.BeginParse()
	if _, err := reader.LoadSlice(skipped); !isKnown || err != nil {
		return nil
	}
	key, err := reader.LoadSlice(256)
	if err != nil {
		return nil
	}
	return key
}

// parseCells returns the root of a bag of cells that a caller has sent. The parser believes the counts of the header
// and panics over some broken bodies, so the header is checked before, and a panic is an error.
func parseCells(b []byte) (root *cell.Cell, err error) {
	defer func() {
		if recover() != nil {
			err = errCells
		}
	}()
	if !hasPlainHeader(b) {
		return nil, errCells
	}
	return cell.FromBOC(b)
}

var errCells = errors.New("wallets: no bag of cells")

// bagOfCells begins a serialized bag of cells.
var bagOfCells = []byte{0xb5, 0xee, 0x9c, 0x72}

// hasPlainHeader reports whether the header of a bag of cells names one root, no index and no more cells than the bag
// can hold: each takes two bytes at least.
func hasPlainHeader(b []byte) bool {
	if len(b) < 6 || !bytes.Equal(b[:4], bagOfCells) {
		return false
	}
	const indexCacheAndFlags = 0b10111000
	size, offsets := int(b[4]&7), int(b[5])
	if b[4]&indexCacheAndFlags != 0 || size < 1 || size > 2 || offsets < 1 || offsets > 4 || len(b) < 6+3*size+offsets {
		return false
	}
	count := func(i int) (n int) {
		for _, digit := range b[6+i*size:][:size] {
			n = n<<8 | int(digit)
		}
		return n
	}
	return count(0) <= len(b)/2 && count(1) == 1 && count(2) == 0
}

// isPlainState reports whether a state has code and data, and neither a depth, special flags nor libraries.
func isPlainState(state *cell.Cell) bool {
	bits, err := state.BeginParse().LoadUInt(5)
	return err == nil && bits == 0b00110
}

// tonHash returns the hash that a wallet signs.
func tonHash(workchain int32, hash []byte, s Statement) []byte {
	message := []byte("ton-proof-item-v2/")
	message = binary.BigEndian.AppendUint32(message, uint32(workchain)) //nolint:gosec // its bits as they are
	message = append(message, hash...)
	message = binary.LittleEndian.AppendUint32(message, uint32(len(s.Domain))) //nolint:gosec // bodies are smaller
	message = append(message, s.Domain...)
	message = binary.LittleEndian.AppendUint64(message, uint64(s.IssuedAt.Unix())) //nolint:gosec // its bits as they are
	message = append(message, s.Nonce...)
	inner := sha256.Sum256(message)
	outer := sha256.Sum256(append([]byte("\xff\xffton-connect"), inner[:]...))
	return outer[:]
}
