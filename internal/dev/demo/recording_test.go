package demo

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/evm/keccak"
)

var update = flag.Bool("update", false, "record the chain of the demo again, with anvil")

// recordedEnd is when the recording was made, as far as its node knows.
var recordedEnd = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// storyteller has a node make the blocks of the demo, some time before the end of the recording.
type storyteller struct {
	*anvil.Node
	coin, items string
}

func (s *storyteller) at(before time.Duration) { s.NextBlockAt(recordedEnd.Add(-before)) }

// call calls a function with an address and a number.
func (s *storyteller) call(contract, signature string, member, number int) {
	sum := keccak.Sum256([]byte(signature))
	s.Send(contract, "0x"+hex.EncodeToString(sum[:4])+anvil.Word(wallet(member))+fmt.Sprintf("%064x", number), "0x0")
}

// getCoins gives a member coins, in hundredths, at a time.
func (s *storyteller) getCoins(before time.Duration, member, number int) {
	s.at(before)
	s.call(s.coin, "mint(address,uint256)", member, number)
}

// collect gives a member tokens of the collection at a time.
func (s *storyteller) collect(before time.Duration, member, count int) {
	s.at(before)
	s.call(s.items, "mint(address,uint256)", member, count)
}

func (s *storyteller) pause(before time.Duration) {
	s.at(before)
	s.Mine(1)
}

const chainDays = 6

// act makes the blocks up to the first one that leaves the chain.
func (s *storyteller) act() {
	const day, hour = 24 * time.Hour, time.Hour
	s.at(chainDays*day - 10*time.Minute)
	s.coin = s.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 2))
	s.at(chainDays*day - 20*time.Minute)
	s.items = s.Deploy("tokens", "Items", "")
	if s.coin != coinContract || s.items != itemsContract {
		panic("the contracts have other addresses")
	}
	for i, member := range []int{14, 3, 7, 12, 5} { // before the run that pays holders
		s.collect(5*day-time.Duration(i)*4*hour, member, 1+i%3)
		s.getCoins(5*day-time.Duration(i)*4*hour-time.Hour, member, 1200+700*i)
	}
	for i := range 2 * confirmDepth { // so that it has its confirmations
		s.pause(time.Duration(2*confirmDepth-i)*time.Hour + 20*time.Hour)
	}
	s.getCoins(10*hour, 2, 450)
	s.collect(8*hour, 9, 1)
	s.getCoins(6*hour, 9, 3000)
	s.collect(4*hour, 2, 2)
	for i := range confirmDepth + 1 {
		s.pause(time.Hour - time.Duration(i)*time.Minute)
	}
}

// record reads blocks from a height on.
func (s *storyteller) record(from uint64) (out []recordedBlock) {
	for n := from; n <= s.Head(); n++ {
		var b struct {
			Hash, ParentHash, LogsBloom, Timestamp string
			Transactions                           []struct{ Hash, From, To, Input string }
		}
		s.read(&b, "eth_getBlockByNumber", hexQuantity(n), true)
		at, err := strconv.ParseInt(b.Timestamp, 0, 64)
		if err != nil {
			panic(err)
		}
		block := recordedBlock{
			Number: n, Hash: b.Hash, Parent: b.ParentHash, Bloom: b.LogsBloom, Before: recordedEnd.Unix() - at,
		}
		for _, tx := range b.Transactions {
			var receipt struct {
				ContractAddress, GasUsed, EffectiveGasPrice string
				Logs                                        []recordedLog
			}
			s.read(&receipt, "eth_getTransactionReceipt", tx.Hash)
			block.Transactions = append(block.Transactions, recordedTx{
				Hash: tx.Hash, From: strings.ToLower(tx.From), To: strings.ToLower(tx.To), Input: tx.Input,
				Contract: strings.ToLower(receipt.ContractAddress), GasUsed: receipt.GasUsed, GasPrice: receipt.EffectiveGasPrice,
				Logs: receipt.Logs,
			})
		}
		out = append(out, block)
	}
	return out
}

func (s *storyteller) read(target any, method string, params ...any) {
	if err := json.Unmarshal(s.Do(method, params...), target); err != nil {
		panic(fmt.Sprintf("%s: %v", method, err))
	}
}

// constant are calls whose answers are the same at every block: selectors with their arguments.
var constant = []string{
	"0x313ce567", // decimals()
	"0x01ffc9a7" + "01ffc9a7" + strings.Repeat("0", 56), "0x01ffc9a7" + "80ac58cd" + strings.Repeat("0", 56),
	"0x01ffc9a7" + "d9b67a26" + strings.Repeat("0", 56), "0x01ffc9a7" + strings.Repeat("f", 8) + strings.Repeat("0", 56),
}

// makeRecording has a node make the chain of the demo.
func makeRecording(t *testing.T) {
	t.Helper()
	begin := recordedEnd.AddDate(0, 0, -chainDays).Unix()
	s := &storyteller{Node: anvil.Start(t, "--timestamp", strconv.FormatInt(begin, 10))}
	s.act()
	r := recording{Blocks: s.record(0), Coins: map[string]string{}, Codes: map[string]string{},
		Answers: map[string]map[string]string{}}
	r.Coins[anvil.First] = s.Text("eth_getBalance", anvil.First, "0x0")
	for _, contract := range []string{s.coin, s.items} {
		r.Codes[contract], r.Answers[contract] = s.Text("eth_getCode", contract, "latest"), map[string]string{}
		for _, data := range constant {
			if text, ok := s.try(contract, data); ok {
				r.Answers[contract][data] = text
			}
		}
	}
	mark, height := s.Snapshot(), s.Head()
	s.collect(90*time.Second, leaver, 1)
	s.pause(75 * time.Second)
	r.Left = s.record(height + 1)
	s.Revert(mark)
	s.collect(84*time.Second, 6, 1) // another member has it now
	s.pause(72 * time.Second)
	s.pause(60 * time.Second)
	r.Stayed = s.record(height + 1)
	r.playAndRecord(t, begin)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	packed, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = packed.Write(text); err == nil {
		err = packed.Close()
	}
	if err == nil {
		err = os.WriteFile("recording.json.gz", file.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	recorded = file.Bytes()
	t.Logf("%d bytes, of %d", file.Len(), len(text))
}

// playAndRecord has another node do what is recorded, as the demo does, and records that one: so the transactions are
// the same, with their hashes, wherever the recording is played.
func (r *recording) playAndRecord(t *testing.T, begin int64) {
	t.Helper()
	s := &storyteller{Node: anvil.Start(t, "--timestamp", strconv.FormatInt(begin, 10), "--order", "fifo")}
	node := &anvilNode{isNew: true, story: *r, ends: recordedEnd.Unix(), url: s.URL}
	err := node.play(t.Context(), r.Blocks[1:])
	r.Blocks = s.record(0)
	if err == nil {
		err = node.play(t.Context(), r.Left)
	}
	height := uint64(len(r.Blocks))
	r.Left = s.record(height)
	if err == nil {
		err = node.part(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Stayed = s.record(height)
}

// try calls a contract that may have no such function.
func (s *storyteller) try(contract, data string) (text string, ok bool) {
	a := askAt(s.URL, "eth_call", map[string]string{"to": contract, "data": data}, "latest")
	text, ok = a.(string)
	return text, ok
}

// askAt asks a node, and returns its result; an rpcFault for an error.
func askAt(address, method string, params ...any) any {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		panic(err)
	}
	reply, err := http.Post(address, "application/json", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer func() { _ = reply.Body.Close() }()
	var answer struct {
		Result any
		Error  *struct{ Code int }
	}
	if err := json.NewDecoder(reply.Body).Decode(&answer); err != nil {
		panic(err)
	}
	if answer.Error != nil {
		return rpcFault{Code: answer.Error.Code}
	}
	return answer.Result
}

// TestTheRecordingAnswersAsARealNode plays the transactions of the recording on a real node, and asks both the same.
// The hashes of their blocks differ, since the times do. With -update it makes the recording before.
func TestTheRecordingAnswersAsARealNode(t *testing.T) {
	t.Parallel()
	if *update {
		makeRecording(t)
	}
	story, err := readRecording()
	if err != nil {
		t.Fatal(err)
	}
	state := chainState{Kind: RecordedChain, Ends: recordedEnd.Unix() + 86_400}
	replayed, err := openReplay(t.Context(), story, state)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = replayed.close() }()
	begin := strconv.FormatInt(state.Ends-story.Blocks[0].Before, 10)
	node := &anvilNode{isNew: true, story: story, ends: state.Ends, url: anvil.Start(t, "--timestamp", begin, "--order", "fifo").URL}
	if err := node.begin(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	compareNodes(t, story, replayed, node)
	if err := replayed.part(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := node.part(t.Context()); err != nil {
		t.Fatal(err)
	}
	compareNodes(t, story, replayed, node)
}

// compareNodes asks both nodes the same about all that is recorded.
func compareNodes(t *testing.T, story recording, replayed *replay, node *anvilNode) {
	t.Helper()
	height := replayed.blocks[len(replayed.blocks)-1].Number
	ask := func(method string, params ...any) (mine, its any) {
		return askAt(replayed.url, method, params...), askAt(node.url, method, params...)
	}
	same := func(method string, params ...any) {
		t.Helper()
		mine, its := ask(method, params...)
		if a, b := withoutHashes(mine, its), withoutHashes(its, mine); !reflect.DeepEqual(a, b) {
			t.Errorf("%s %v:\nreplayed %v\nreal     %v", method, params, a, b)
		}
	}
	same("eth_chainId")
	accounts := []string{anvil.First, wallet(0), wallet(14), wallet(leaver), wallet(6), wallet(9)}
	contracts := slices.Sorted(maps.Keys(story.Codes))
	for n := range height + 1 {
		at := hexQuantity(n)
		same("eth_getBlockByNumber", at, true)
		same("eth_getBlockByNumber", at, false)
		same("eth_getBlockReceipts", at)
		same("eth_getLogs", map[string]any{"fromBlock": at, "toBlock": at})
		for _, contract := range contracts {
			same("eth_getCode", contract, at)
			for _, data := range constant {
				same("eth_call", map[string]string{"to": contract, "data": data}, at)
			}
			for _, account := range accounts {
				same("eth_call", map[string]string{"to": contract, "data": balanceOf + anvil.Word(account)}, at)
			}
		}
		for _, account := range accounts {
			same("eth_getBalance", account, at)
		}
	}
	for _, filter := range []map[string]any{
		{"address": contracts[0]}, {"address": contracts}, {"address": contracts[1], "topics": []any{transferTopic}},
		{"topics": []any{nil, nil, []string{"0x" + anvil.Word(wallet(14)), "0x" + anvil.Word(wallet(6))}}},
		{"topics": []any{nil, nil, nil, "0x" + fmt.Sprintf("%064x", 2)}}, {"topics": []any{[]string{}}},
	} {
		filter["fromBlock"], filter["toBlock"] = "0x1", hexQuantity(height)
		same("eth_getLogs", filter)
	}
	same("eth_getBlockByNumber", "0xffffff", false)
	same("eth_getBlockByHash", "0x"+strings.Repeat("12", 32), false)
}

// withoutHashes returns an answer without hashes of blocks, and without what the other answer does not have, so that both
// can be compared.
func withoutHashes(answer, other any) any {
	switch answer := answer.(type) {
	case map[string]any:
		others, ok := other.(map[string]any)
		if !ok {
			return answer
		}
		out := map[string]any{}
		for name, value := range answer {
			switch _, both := others[name]; {
			case !both, name == "parentHash", name == "blockHash", name == "hash" && answer["parentHash"] != nil:
			default:
				out[name] = withoutHashes(value, others[name])
			}
		}
		return out
	case []any:
		others, ok := other.([]any)
		if !ok || len(others) != len(answer) {
			return answer
		}
		out := make([]any, len(answer))
		for i := range answer {
			out[i] = withoutHashes(answer[i], others[i])
		}
		return out
	case string:
		return strings.ToLower(answer)
	}
	return answer
}
