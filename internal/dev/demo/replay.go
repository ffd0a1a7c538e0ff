package demo

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// replay serves from a recording what the service asks of nodes. The recorded blocks keep their hashes: the service
// looks how blocks follow one another, and does not compute hashes. Their times are moved so that the recording ends
// when the demo was made. After that an empty block follows every 12 seconds, whose hash says its height, so that all
// starts of a demo show the same blocks.
type replay struct {
	recording

	ends   time.Time
	server http.Server
	url    string

	mu     sync.Mutex
	blocks []recordedBlock // of the chain as it is
	parted bool
}

const (
	replayTimeout = 10 * time.Second
	maxQuestions  = 1 << 20 // bytes
	maxRange      = 10_000  // blocks of which logs may be asked at once
	hashPrefix    = 24      // bytes of the hash of an empty block before its height
	noBloom       = 512     // digits of a bloom
)

// openReplay serves a recording on a port of this machine that the system chooses.
func openReplay(ctx context.Context, story recording, state chainState) (*replay, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &replay{recording: story, ends: time.Unix(state.Ends, 0), url: "http://" + listener.Addr().String()}
	r.setParted(state.HasParted)
	r.server = http.Server{Handler: r, ReadTimeout: replayTimeout, WriteTimeout: replayTimeout}
	go func() { _ = r.server.Serve(listener) }() // until close
	return r, nil
}

func (r *replay) address() string { return r.url }
func (r *replay) close() error    { return r.server.Close() }

func (r *replay) part(context.Context) error {
	r.setParted(true)
	return nil
}

func (r *replay) setParted(parted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.Left
	if parted {
		last = r.Stayed
	}
	r.parted, r.blocks = parted, slices.Concat(r.Blocks, last)
}

// rpcRequest is a question of JSON-RPC.
type rpcRequest struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// rpcAnswer is the answer to one.
type rpcAnswer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcFault       `json:"error,omitempty"`
}

// rpcFault is an error as an answer.
type rpcFault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *rpcFault) Error() string { return f.Message }

// null is the answer about what the node does not know.
var null = json.RawMessage("null")

// ServeHTTP takes a question, or a list of them.
func (r *replay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(io.LimitReader(q.Body, maxQuestions))
	if err != nil {
		return
	}
	var list []rpcRequest
	isList := json.Unmarshal(body, &list) == nil
	if !isList {
		list = make([]rpcRequest, 1)
		if json.Unmarshal(body, &list[0]) != nil {
			http.Error(w, "no JSON-RPC", http.StatusBadRequest)
			return
		}
	}
	answers := make([]rpcAnswer, len(list))
	for i, one := range list {
		answers[i] = rpcAnswer{Version: "2.0", ID: one.ID}
		if answers[i].Result, answers[i].Error = r.answer(one); answers[i].Error != nil {
			answers[i].Result = nil
		}
	}
	w.Header().Set("Content-Type", "application/json")
	var out any = answers
	if !isList {
		out = answers[0]
	}
	_ = json.NewEncoder(w).Encode(out) //nolint:errchkjson // texts, and lists and maps of them
}

// answer returns the answer to one question.
func (r *replay) answer(q rpcRequest) (any, *rpcFault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var args [2]json.RawMessage
	copy(args[:], q.Params)
	switch q.Method {
	case "eth_chainId":
		return hexQuantity(chainID), nil
	case "eth_blockNumber":
		return hexQuantity(r.height()), nil
	case "eth_getBlockByNumber", "eth_getBlockByHash":
		b, ok := r.find(args[0])
		if !ok {
			return null, nil
		}
		return r.blockObject(b, string(args[1]) == "true"), nil
	case "eth_getBlockReceipts":
		b, ok := r.find(args[0])
		if !ok {
			return null, nil
		}
		return r.receiptsOf(b), nil
	case "eth_getTransactionReceipt":
		return r.receiptOf(textIn(args[0])), nil
	case "eth_getLogs":
		return r.logs(args[0])
	}
	at, ok := r.find(args[1])
	switch {
	case !slices.Contains([]string{"eth_call", "eth_getCode", "eth_getBalance"}, q.Method):
		return nil, &rpcFault{-32601, "the recorded chain has no method " + q.Method}
	case !ok:
		return nil, &rpcFault{-32000, "header not found"}
	case q.Method == "eth_getCode":
		return r.codeOf(textIn(args[0]), at), nil
	case q.Method == "eth_getBalance":
		return "0x" + r.coinsOf(textIn(args[0]), at).Text(16), nil
	}
	return r.call(args[0], at)
}

// height returns that of the newest block: until blocks have left the chain, that of the last one which is recorded.
func (r *replay) height() uint64 {
	last := r.blocks[len(r.blocks)-1].Number
	if passed := time.Since(r.ends); r.parted && passed > 0 {
		last += uint64(passed / blockTime)
	}
	return last
}

// at returns the block at a height, which is at most that of the newest one.
func (r *replay) at(number uint64) recordedBlock {
	last := r.blocks[len(r.blocks)-1]
	if number <= last.Number {
		return r.blocks[number-r.blocks[0].Number]
	}
	parent := last.Hash
	if number-1 > last.Number {
		parent = emptyHash(last.Hash, number-1)
	}
	return recordedBlock{
		Number: number, Hash: emptyHash(last.Hash, number), Parent: parent, Bloom: "0x" + strings.Repeat("0", noBloom),
		Before: -int64(number-last.Number) * int64(blockTime/time.Second), //nolint:gosec // far from any bound
	}
}

// emptyHash returns the hash of an empty block, which ends with its height.
func emptyHash(last string, number uint64) string {
	hash := sha256.Sum256([]byte(last + " " + strconv.FormatUint(number, 10)))
	binary.BigEndian.PutUint64(hash[hashPrefix:], number)
	return "0x" + hex.EncodeToString(hash[:])
}

// find returns the block that a parameter names: by height, by hash, or as the newest one.
func (r *replay) find(param json.RawMessage) (recordedBlock, bool) {
	var named struct {
		Hash   string `json:"blockHash"`
		Number string `json:"blockNumber"`
	}
	text := textIn(param)
	if text == "" && json.Unmarshal(param, &named) == nil {
		text = strings.ToLower(named.Hash + named.Number)
	}
	switch text {
	case "", "latest", "safe", "finalized", "pending":
		return r.at(r.height()), true
	case "earliest":
		return r.at(0), true
	}
	const hashLength = 2 + 2*sha256.Size
	if len(text) != hashLength {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil || n > r.height() {
			return recordedBlock{}, false
		}
		return r.at(n), true
	}
	for _, b := range r.blocks {
		if b.Hash == text {
			return b, true
		}
	}
	n, err := strconv.ParseUint(text[2+2*hashPrefix:], 16, 64)
	if err != nil || n > r.height() || r.at(n).Hash != text {
		return recordedBlock{}, false
	}
	return r.at(n), true
}

func hexQuantity(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// textIn returns the text of a parameter, in lower case; "" if it is none.
func textIn(param json.RawMessage) string {
	var text string
	_ = json.Unmarshal(param, &text) // else it is none
	return strings.ToLower(text)
}

// nullable returns a text; nil for an empty one.
func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// blockObject returns a block as nodes show it, with its transactions or their hashes.
func (r *replay) blockObject(b recordedBlock, isWhole bool) map[string]any {
	list := make([]any, len(b.Transactions))
	for i, tx := range b.Transactions {
		if list[i] = tx.Hash; isWhole {
			list[i] = map[string]any{
				"hash": tx.Hash, "from": tx.From, "to": nullable(tx.To), "input": tx.Input, "value": "0x0",
				"gasPrice": tx.GasPrice, "blockHash": b.Hash, "blockNumber": hexQuantity(b.Number),
				"transactionIndex": fmt.Sprintf("0x%x", i),
			}
		}
	}
	return map[string]any{
		"number": hexQuantity(b.Number), "hash": b.Hash, "parentHash": b.Parent, "logsBloom": b.Bloom, "transactions": list,
		"timestamp": fmt.Sprintf("0x%x", r.ends.Unix()-b.Before),
	}
}

// receiptsOf returns the receipts of a block's transactions.
func (r *replay) receiptsOf(b recordedBlock) []any {
	out, logs := make([]any, len(b.Transactions)), r.logsOf(b)
	for i, tx := range b.Transactions {
		out[i] = map[string]any{
			"transactionHash": tx.Hash, "transactionIndex": fmt.Sprintf("0x%x", i), "blockHash": b.Hash,
			"blockNumber": hexQuantity(b.Number), "from": tx.From, "to": nullable(tx.To),
			"contractAddress": nullable(tx.Contract), "gasUsed": tx.GasUsed, "effectiveGasPrice": tx.GasPrice, "status": "0x1",
			"logs": logs[:len(tx.Logs)],
		}
		logs = logs[len(tx.Logs):]
	}
	return out
}

// receiptOf returns the receipt of a transaction.
func (r *replay) receiptOf(hash string) any {
	for _, b := range r.blocks {
		at := slices.IndexFunc(b.Transactions, func(tx recordedTx) bool { return tx.Hash == hash })
		if at >= 0 {
			return r.receiptsOf(b)[at]
		}
	}
	return null
}

// logsOf returns all logs of a block.
func (r *replay) logsOf(b recordedBlock) []any {
	out := []any{}
	for i, tx := range b.Transactions {
		for _, l := range tx.Logs {
			out = append(out, map[string]any{
				"address": l.Address, "topics": l.Topics, "data": l.Data, "blockNumber": hexQuantity(b.Number),
				"blockHash": b.Hash, "transactionHash": tx.Hash, "transactionIndex": fmt.Sprintf("0x%x", i),
				"logIndex": fmt.Sprintf("0x%x", len(out)), "removed": false,
			})
		}
	}
	return out
}

// logs returns the logs that a filter selects.
func (r *replay) logs(param json.RawMessage) (any, *rpcFault) {
	var filter struct {
		BlockHash, FromBlock, ToBlock, Address json.RawMessage
		Topics                                 []json.RawMessage
	}
	if json.Unmarshal(param, &filter) != nil {
		return nil, &rpcFault{-32602, "no filter"}
	}
	from, hasFrom := r.find(filter.FromBlock)
	to, hasTo := r.find(filter.ToBlock)
	if filter.BlockHash != nil {
		from, hasFrom = r.find(filter.BlockHash)
		to, hasTo = from, hasFrom
	}
	switch {
	case !hasFrom || !hasTo:
		return nil, &rpcFault{-32000, "unknown block"}
	case to.Number >= from.Number+maxRange:
		return nil, &rpcFault{-32602, fmt.Sprintf("query exceeds max block range %d", maxRange)}
	}
	to.Number = min(to.Number, r.blocks[len(r.blocks)-1].Number) // those after it are empty
	out := []any{}
	for n := from.Number; n <= to.Number; n++ {
		b := r.at(n)
		all := r.logsOf(b)
		for _, tx := range b.Transactions {
			for _, l := range tx.Logs {
				if isIn(filter.Address, l.Address) && haveTopics(filter.Topics, l.Topics) {
					out = append(out, all[0])
				}
				all = all[1:]
			}
		}
	}
	return out, nil
}

// isIn reports whether a part of a filter, one text or a list, has a text. No part has all.
func isIn(part json.RawMessage, text string) bool {
	var list []string
	if len(part) == 0 || string(part) == "null" {
		return true
	}
	if json.Unmarshal(part, &list) != nil {
		list = []string{textIn(part)}
	}
	return len(list) == 0 || slices.ContainsFunc(list, func(one string) bool { return strings.EqualFold(one, text) })
}

func haveTopics(wanted []json.RawMessage, topics []string) bool {
	for i, part := range wanted {
		if i >= len(topics) && string(part) != "null" || i < len(topics) && !isIn(part, topics[i]) {
			return false
		}
	}
	return true
}

// until returns the transactions of the blocks up to one.
func (r *replay) until(last recordedBlock) (out []recordedTx) {
	for _, b := range r.blocks {
		if b.Number <= last.Number {
			out = append(out, b.Transactions...)
		}
	}
	return out
}

// codeOf returns the code of an account at a block.
func (r *replay) codeOf(account string, at recordedBlock) string {
	for _, tx := range r.until(at) {
		if tx.Contract == account {
			return r.Codes[account]
		}
	}
	return "0x"
}

// coinsOf returns the coins of an account at a block. No recorded transaction sends any: accounts only pay for gas.
func (r *replay) coinsOf(account string, at recordedBlock) *big.Int {
	sum := numberOf(r.Coins[account])
	for _, tx := range r.until(at) {
		if tx.From == account {
			sum.Sub(sum, new(big.Int).Mul(numberOf(tx.GasUsed), numberOf(tx.GasPrice)))
		}
	}
	return sum
}

// numberOf returns a hexadecimal number; 0 for an empty text.
func numberOf(text string) *big.Int {
	n, ok := new(big.Int).SetString(strings.TrimPrefix(text, "0x"), 16)
	if !ok {
		return new(big.Int)
	}
	return n
}

const (
	balanceOf     = "0x70a08231" // balanceOf(address)
	transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
	addressDigits = 40
	itemTopics    = 4 // of a transfer of a token that there is once
)

// call returns what a function of a contract returns at a block. A balance is the sum of the transfers up to the block;
// everything else was recorded.
func (r *replay) call(param json.RawMessage, at recordedBlock) (any, *rpcFault) {
	var message struct{ To, Data, Input string }
	if json.Unmarshal(param, &message) != nil {
		return nil, &rpcFault{-32602, "no call"}
	}
	contract, data := strings.ToLower(message.To), strings.ToLower(message.Data)
	if data == "" {
		data = strings.ToLower(message.Input)
	}
	if r.codeOf(contract, at) == "0x" {
		return "0x", nil
	}
	if answer, ok := r.Answers[contract][data]; ok {
		return answer, nil
	}
	owner, ok := strings.CutPrefix(data, balanceOf)
	if !ok || strings.Trim(owner, "0") == "" || len(owner) < addressDigits {
		return nil, &rpcFault{3, "execution reverted"}
	}
	return fmt.Sprintf("0x%064x", r.held(contract, owner[len(owner)-addressDigits:], at)), nil
}

// held returns how much of a contract's tokens an account has at a block.
func (r *replay) held(contract, owner string, at recordedBlock) *big.Int {
	sum := new(big.Int)
	for _, tx := range r.until(at) {
		for _, l := range tx.Logs {
			if l.Address != contract || l.Topics[0] != transferTopic {
				continue
			}
			amount := big.NewInt(1)
			if len(l.Topics) != itemTopics {
				amount = numberOf(l.Data)
			}
			if strings.HasSuffix(l.Topics[1], owner) {
				sum.Sub(sum, amount)
			}
			if strings.HasSuffix(l.Topics[2], owner) {
				sum.Add(sum, amount)
			}
		}
	}
	return sum
}
