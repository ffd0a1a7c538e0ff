package node

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// Header is what tells a block from others.
type Header struct {
	Number           uint64
	Hash, ParentHash string
	Time             time.Time
	Bloom            []byte // of the addresses and topics of the block's logs
}

// Block is a block with its transactions.
type Block struct {
	Header
	Transactions []Transaction
}

// Transaction is a transaction of a block. Addresses and hashes are in lower case.
type Transaction struct {
	Hash, From string
	To         string // "": it creates a contract
	Input      []byte
	Value      *big.Int
	Index      uint64
}

// Log is an event of a contract.
type Log struct {
	Address           string
	Topics            []string
	Data              []byte
	BlockNumber       uint64
	BlockHash, TxHash string
	TxIndex, Index    uint64
}

// Receipt is what a transaction has done.
type Receipt struct {
	TxHash, BlockHash, From string
	To                      string // "": it has created a contract
	Contract                string // that it has created; "": none
	BlockNumber, GasUsed    uint64
	GasPrice                *big.Int // that was paid
	Succeeded               bool
	Logs                    []Log
}

// Filter selects logs.
type Filter struct {
	Addresses []string   // of contracts; none: all
	Topics    [][]string // by position, each one of several; an empty one: any
}

// At is the block at which state is read; the zero At is the newest.
type At struct{ Hash string }

// Message is a call of a contract that changes nothing.
type Message struct {
	From string // "": nobody
	To   string
	Data []byte
}

// The forms of blocks, transactions, logs and receipts in answers.
type (
	wireBlock struct {
		Number       quantity `json:"number"`
		Hash         string   `json:"hash"`
		ParentHash   string   `json:"parentHash"`
		Timestamp    quantity `json:"timestamp"`
		LogsBloom    data     `json:"logsBloom"`
		Transactions []wireTx `json:"transactions"`
	}
	wireTx struct {
		Hash  string   `json:"hash"`
		From  string   `json:"from"`
		To    *string  `json:"to"`
		Input data     `json:"input"`
		Value amount   `json:"value"`
		Index quantity `json:"transactionIndex"`
	}
	wireLog struct {
		Address     string   `json:"address"`
		Topics      []string `json:"topics"`
		Data        data     `json:"data"`
		BlockNumber quantity `json:"blockNumber"`
		BlockHash   string   `json:"blockHash"`
		TxHash      string   `json:"transactionHash"`
		TxIndex     quantity `json:"transactionIndex"`
		Index       quantity `json:"logIndex"`
		Removed     bool     `json:"removed"`
	}
	wireReceipt struct {
		TxHash      string    `json:"transactionHash"`
		BlockHash   string    `json:"blockHash"`
		BlockNumber quantity  `json:"blockNumber"`
		From        string    `json:"from"`
		To          *string   `json:"to"`
		Contract    *string   `json:"contractAddress"`
		GasUsed     quantity  `json:"gasUsed"`
		GasPrice    amount    `json:"effectiveGasPrice"`
		Status      quantity  `json:"status"`
		Logs        []wireLog `json:"logs"`
	}
)

const (
	hashDigits    = 64
	addressDigits = 40
	bloomBytes    = 256
)

// isHex reports whether a text is 0x and so many hexadecimal digits.
func isHex(text string, digits int) bool {
	rest, ok := strings.CutPrefix(text, "0x")
	return ok && len(rest) == digits && strings.Trim(rest, "0123456789abcdefABCDEF") == ""
}

// lower returns a text in lower case; "" for none.
func lower(text *string) string {
	if text == nil {
		return ""
	}
	return strings.ToLower(*text)
}

func (w wireBlock) header() (Header, error) {
	if !isHex(w.Hash, hashDigits) || !isHex(w.ParentHash, hashDigits) || len(w.LogsBloom) != bloomBytes {
		return Header{}, ErrInvalid
	}
	return Header{
		Number: uint64(w.Number), Hash: lower(&w.Hash), ParentHash: lower(&w.ParentHash), Bloom: w.LogsBloom,
		Time: time.Unix(int64(w.Timestamp), 0).UTC(), //nolint:gosec // a quantity has 63 bits
	}, nil
}

func (w wireBlock) block() (Block, error) {
	header, err := w.header()
	if err != nil {
		return Block{}, err
	}
	out := Block{Header: header, Transactions: make([]Transaction, len(w.Transactions))}
	for i, tx := range w.Transactions {
		if !isHex(tx.Hash, hashDigits) || !isHex(tx.From, addressDigits) {
			return Block{}, ErrInvalid
		}
		out.Transactions[i] = Transaction{
			Hash: lower(&tx.Hash), From: lower(&tx.From), To: lower(tx.To), Input: tx.Input, Value: &w.Transactions[i].Value.Int,
			Index: uint64(tx.Index),
		}
	}
	return out, nil
}

func (w wireLog) log() (Log, error) {
	if !isHex(w.Address, addressDigits) || !isHex(w.BlockHash, hashDigits) || !isHex(w.TxHash, hashDigits) || w.Removed {
		return Log{}, ErrInvalid
	}
	out := Log{
		Address: lower(&w.Address), Data: w.Data, BlockNumber: uint64(w.BlockNumber), BlockHash: lower(&w.BlockHash),
		TxHash: lower(&w.TxHash), TxIndex: uint64(w.TxIndex), Index: uint64(w.Index),
	}
	for _, topic := range w.Topics {
		if !isHex(topic, hashDigits) {
			return Log{}, ErrInvalid
		}
		out.Topics = append(out.Topics, lower(&topic))
	}
	return out, nil
}

func logsOf(list []wireLog) ([]Log, error) {
	out := make([]Log, len(list))
	for i, w := range list {
		var err error
		if out[i], err = w.log(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (w wireReceipt) receipt() (Receipt, error) {
	if !isHex(w.TxHash, hashDigits) || !isHex(w.BlockHash, hashDigits) || !isHex(w.From, addressDigits) {
		return Receipt{}, ErrInvalid
	}
	logs, err := logsOf(w.Logs)
	return Receipt{
		TxHash: lower(&w.TxHash), BlockHash: lower(&w.BlockHash), From: lower(&w.From), To: lower(w.To),
		Contract: lower(w.Contract), BlockNumber: uint64(w.BlockNumber), GasUsed: uint64(w.GasUsed),
		GasPrice: &w.GasPrice.Int, Succeeded: w.Status == 1, Logs: logs,
	}, err
}

// hexNumber returns a number as nodes read it.
func hexNumber(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// hexData returns bytes as nodes read them.
func hexData(b []byte) string { return fmt.Sprintf("0x%x", b) }

// param returns the block as a parameter (EIP-1898). A block that has left the chain is refused by the node.
func (a At) param() any {
	if a.Hash == "" {
		return "latest"
	}
	return map[string]any{"blockHash": a.Hash, "requireCanonical": true}
}

// BlockByNumber returns the block at a height. Errors: ErrNotFound.
func (c *Client) BlockByNumber(ctx context.Context, number uint64) (Block, error) {
	b, err := c.block(ctx, newRequest("eth_getBlockByNumber", hexNumber(number), true))
	if err == nil && b.Number != number {
		return Block{}, ErrInvalid
	}
	return b, err
}

// BlockByHash returns a block. Errors: ErrNotFound.
func (c *Client) BlockByHash(ctx context.Context, hash string) (Block, error) {
	b, err := c.block(ctx, newRequest("eth_getBlockByHash", hash, true))
	if err == nil && !strings.EqualFold(b.Hash, hash) {
		return Block{}, ErrInvalid
	}
	return b, err
}

func (c *Client) block(ctx context.Context, r *request) (Block, error) {
	if err := c.do(ctx, nil, r); err != nil {
		return Block{}, err
	}
	var w wireBlock
	if err := r.read(&w); err != nil {
		return Block{}, err
	}
	return w.block()
}

// params returns the filter as a parameter.
func (f Filter) params() map[string]any {
	out := map[string]any{}
	if len(f.Addresses) > 0 {
		out["address"] = f.Addresses
	}
	if len(f.Topics) > 0 {
		topics := make([]any, len(f.Topics))
		for i, list := range f.Topics {
			if len(list) > 0 {
				topics[i] = list
			}
		}
		out["topics"] = topics
	}
	return out
}

// LogsInRange returns the logs of blocks from one height to another, both included. Errors: ErrTooMuch.
func (c *Client) LogsInRange(ctx context.Context, f Filter, from, to uint64) ([]Log, error) {
	params := f.params()
	params["fromBlock"], params["toBlock"] = hexNumber(from), hexNumber(to)
	logs, err := c.logs(ctx, params)
	for _, l := range logs {
		if l.BlockNumber < from || l.BlockNumber > to {
			return nil, ErrInvalid
		}
	}
	return logs, err
}

// LogsOfBlock returns the logs of one block. Errors: ErrTooMuch; *RPCError if the node does not know the block.
func (c *Client) LogsOfBlock(ctx context.Context, f Filter, hash string) ([]Log, error) {
	params := f.params()
	params["blockHash"] = hash
	logs, err := c.logs(ctx, params)
	for _, l := range logs {
		if !strings.EqualFold(l.BlockHash, hash) {
			return nil, ErrInvalid
		}
	}
	return logs, err
}

func (c *Client) logs(ctx context.Context, params map[string]any) ([]Log, error) {
	r := newRequest("eth_getLogs", params)
	if err := c.do(ctx, nil, r); err != nil {
		return nil, err
	}
	var list []wireLog
	if err := r.read(&list); err != nil {
		return nil, err
	}
	return logsOf(list)
}

// Receipts returns the receipts of all transactions of a block, in one call where the node has one for that. Errors:
// ErrNotFound, ErrTooMuch.
func (c *Client) Receipts(ctx context.Context, b Block) ([]Receipt, error) {
	if len(b.Transactions) == 0 {
		return nil, nil
	}
	all := newRequest("eth_getBlockReceipts", b.Hash)
	var list []wireReceipt
	err := c.do(ctx, nil, all)
	answer := (*RPCError)(nil)
	switch {
	case err == nil:
		if err := all.read(&list); err != nil {
			return nil, err
		}
	case errors.As(err, &answer) && answer.Code == codeUnknownMethod:
		if list, err = c.receiptsOneByOne(ctx, b); err != nil {
			return nil, err
		}
	default:
		return nil, err
	}
	if len(list) != len(b.Transactions) {
		return nil, ErrInvalid
	}
	out := make([]Receipt, len(list))
	for i, w := range list {
		if out[i], err = w.receipt(); err != nil {
			return nil, err
		}
		if out[i].BlockHash != b.Hash {
			return nil, ErrInvalid
		}
	}
	return out, nil
}

// receiptsOneByOne asks for the receipts of a block in batches.
func (c *Client) receiptsOneByOne(ctx context.Context, b Block) ([]wireReceipt, error) {
	requests := make([]*request, len(b.Transactions))
	for i, tx := range b.Transactions {
		requests[i] = newRequest("eth_getTransactionReceipt", tx.Hash)
	}
	if err := c.do(ctx, nil, requests...); err != nil {
		return nil, err
	}
	list := make([]wireReceipt, len(requests))
	for i, r := range requests {
		if err := r.read(&list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// SendersOf returns who has sent transactions, in lower case, with a call for each batch of them. Errors: ErrNotFound.
func (c *Client) SendersOf(ctx context.Context, hashes []string) ([]string, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	requests := make([]*request, len(hashes))
	for i, hash := range hashes {
		requests[i] = newRequest("eth_getTransactionByHash", hash)
	}
	if err := c.do(ctx, nil, requests...); err != nil {
		return nil, err
	}
	out := make([]string, len(hashes))
	for i, r := range requests {
		var w wireTx
		if err := r.read(&w); err != nil {
			return nil, err
		}
		out[i] = strings.ToLower(w.From)
		if !strings.EqualFold(w.Hash, hashes[i]) || !isHex(out[i], addressDigits) {
			return nil, ErrInvalid
		}
	}
	return out, nil
}

func (m Message) params() map[string]any {
	out := map[string]any{"to": m.To, "data": hexData(m.Data)}
	if m.From != "" {
		out["from"] = m.From
	}
	return out
}

// Result is what a call of a contract has returned.
type Result struct {
	Data []byte
	Err  error // *RPCError: the contract has reverted, or the node refuses the call
}

// Call calls a contract at a block.
func (c *Client) Call(ctx context.Context, m Message, at At) ([]byte, error) {
	results, err := c.Calls(ctx, []Message{m}, at)
	if err != nil {
		return nil, err
	}
	return results[0].Data, results[0].Err
}

// Calls calls contracts at a block, in batches. Each has a result of its own.
func (c *Client) Calls(ctx context.Context, messages []Message, at At) ([]Result, error) {
	requests := make([]*request, len(messages))
	for i, m := range messages {
		requests[i] = newRequest("eth_call", m.params(), at.param())
	}
	err := c.do(ctx, nil, requests...)
	if answer := (*RPCError)(nil); err != nil && !errors.As(err, &answer) {
		return nil, err
	}
	out := make([]Result, len(requests))
	for i, r := range requests {
		var d data
		if out[i].Err = r.err; r.err == nil {
			if err := r.read(&d); err != nil {
				return nil, err
			}
			out[i].Data = d
		}
	}
	return out, nil
}

// Code returns the code of an account at a block; empty if it has none.
func (c *Client) Code(ctx context.Context, account string, at At) ([]byte, error) {
	var code data
	err := c.ask(ctx, newRequest("eth_getCode", account, at.param()), &code)
	return code, err
}

// Balance returns the balance of an account at a block, in the smallest unit.
func (c *Client) Balance(ctx context.Context, account string, at At) (*big.Int, error) {
	var n amount
	err := c.ask(ctx, newRequest("eth_getBalance", account, at.param()), &n)
	return &n.Int, err
}

func (c *Client) ask(ctx context.Context, r *request, target any) error {
	if err := c.do(ctx, nil, r); err != nil {
		return err
	}
	return r.read(target)
}
