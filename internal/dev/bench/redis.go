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

	"laurel/internal/dev/freeport"
)

// redis is a throwaway Redis with one sorted set: the limit that rank is measured against.
type redis struct {
	command *exec.Cmd
	host    string
}

const redisSet = "rank"

func (b *bench) startRedis(ctx context.Context) (*redis, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, missing("redis-server", "Redis", "redis-server")
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

// stop kills it: nothing in it is to be kept.
func (r *redis) stop() error {
	err := r.command.Process.Kill()
	_ = r.command.Wait() // tells that it was killed
	return err
}

// member is the name of account n in the set: 16 bytes, as an id has.
func member(n int) string { return fmt.Sprintf("%016x", n) }

// encodeCommand encodes a command in the protocol of Redis (RESP 2, arrays of bulk strings).
func encodeCommand(words ...string) []byte {
	out := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, w := range words {
		out = fmt.Appendf(out, "$%d\r\n%s\r\n", len(w), w)
	}
	return out
}

// number reads an answer that must be one whole number.
func (w *wire) number() error {
	line, err := w.in.ReadSlice('\n')
	if err == nil && line[0] != ':' {
		err = fmt.Errorf("redis answered %.60q", line)
	}
	return err
}

const (
	redisBatch   = 500 // members of one command
	redisOnRoute = 64  // commands whose answers are not read yet
)

// load puts members with their amounts into the set, as balances tells them.
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
	words, waiting := []string{"ZADD", redisSet}, 0
	send := func() error {
		if _, err := out.Write(encodeCommand(words...)); err != nil {
			return err
		}
		words = words[:2]
		waiting++
		return nil
	}
	settle := func() error {
		err := out.Flush()
		for ; waiting > 0 && err == nil; waiting-- {
			err = w.number()
		}
		return err
	}
	err = balances(ctx, accounts, func(n int, amount int64) error {
		words = append(words, strconv.FormatInt(amount, 10), member(n))
		if len(words) < 2+2*redisBatch {
			return nil
		}
		if err := send(); err != nil || waiting < redisOnRoute {
			return err
		}
		return settle()
	})
	if err == nil && len(words) > 2 {
		err = send()
	}
	return errors.Join(err, settle())
}

// requestRank returns a step that reads the rank of a picked account from Redis.
func (r *redis) requestRank(pick func() int) func(context.Context) (func() error, func(), error) {
	return func(ctx context.Context) (func() error, func(), error) {
		w, err := dial(ctx, r.host)
		if err != nil {
			return nil, nil, err
		}
		step := func() error {
			if _, err := w.conn.Write(encodeCommand("ZREVRANK", redisSet, member(pick()))); err != nil {
				return err
			}
			return w.number()
		}
		return step, w.close, nil
	}
}
