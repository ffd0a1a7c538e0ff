package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"time"

	"laurel.example/laurel/internal/dev/freeport"
)

// redis is a temporary Redis server with one sorted set, which ranks of the service are compared with.
type redis struct {
	command *exec.Cmd
	host    string
}

const redisSet = "rank"

// startRedis starts a Redis server that stores nothing on disk, and waits until it accepts connections.
func (b *bench) startRedis(ctx context.Context) (*redis, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, missingProgram("redis-server", "Redis", "redis-server")
	}
	port, err := freeport.Find(ctx)
	if err != nil {
		return nil, err
	}
	text := strconv.Itoa(port)
	arguments := []string{"--bind", "127.0.0.1", "--port", text, "--save", "", "--appendonly", "no", "--dir", b.dir}
	command := exec.Command(path, arguments...) //nolint:gosec,noctx // stop ends it
	if err := command.Start(); err != nil {
		return nil, err
	}
	r := &redis{command, net.JoinHostPort("127.0.0.1", text)}
	for range 200 {
		c, err := dial(ctx, r.host)
		if err == nil {
			c.close()
			return r, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, errors.Join(errors.New("redis-server did not start"), r.stop())
}

// stop kills the server: nothing in it is needed any more.
func (r *redis) stop() error {
	err := r.command.Process.Kill()
	_ = r.command.Wait() // its error says that it was killed
	return err
}

// redisMember returns the name of account n in the set: 16 bytes, as an id has.
func redisMember(n int) string { return fmt.Sprintf("%016x", n) }

// encodeCommand encodes a command in the protocol of Redis (RESP 2: an array of bulk strings).
func encodeCommand(words ...string) []byte {
	out := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, w := range words {
		out = fmt.Appendf(out, "$%d\r\n%s\r\n", len(w), w)
	}
	return out
}

// readNumber reads a reply of Redis, which must be an integer.
func (w *wire) readNumber() error {
	line, err := w.reader.ReadSlice('\n')
	if err == nil && line[0] != ':' {
		err = fmt.Errorf("redis answered %.60q", line)
	}
	return err
}

const (
	redisBatch        = 500 // members of one command
	maxPendingReplies = 64  // commands whose replies are not read yet
)

// load adds the accounts with their balances to the set. balances calls its function with the number and the amount of
// each account.
func (r *redis) load(
	ctx context.Context,
	accounts int,
	balances func(context.Context, int, func(int, int64) error) error,
) error {
	w, err := dial(ctx, r.host)
	if err != nil {
		return err
	}
	defer w.close()
	out := bufio.NewWriterSize(w.conn, 1<<20)
	words, pendingReplies := []string{"ZADD", redisSet}, 0
	send := func() error {
		if _, err := out.Write(encodeCommand(words...)); err != nil {
			return err
		}
		words = words[:2] // the command and the set stay for the next members
		pendingReplies++
		return nil
	}
	readReplies := func() error {
		err := out.Flush()
		for ; pendingReplies > 0 && err == nil; pendingReplies-- {
			err = w.readNumber()
		}
		return err
	}
	err = balances(ctx, accounts, func(n int, amount int64) error {
		words = append(words, strconv.FormatInt(amount, 10), redisMember(n))
		if len(words) < 2+2*redisBatch {
			return nil
		}
		if err := send(); err != nil || pendingReplies < maxPendingReplies {
			return err
		}
		return readReplies()
	})
	if err == nil && len(words) > 2 {
		err = send()
	}
	return errors.Join(err, readReplies())
}

// requestRank returns a function that starts workers whose steps read the rank of an account from Redis. pick returns
// the number of the account.
func (r *redis) requestRank(pick func() int) startWorker {
	return func(ctx context.Context) (func() error, func(), error) {
		w, err := dial(ctx, r.host)
		if err != nil {
			return nil, nil, err
		}
		step := func() error {
			if _, err := w.conn.Write(encodeCommand("ZREVRANK", redisSet, redisMember(pick()))); err != nil {
				return err
			}
			return w.readNumber()
		}
		return step, w.close, nil
	}
}
