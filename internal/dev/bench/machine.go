package bench

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// machine describes the machine that figures come from: they mean nothing elsewhere.
func machine() string {
	memory := "unknown memory"
	if bytes := ram(); bytes > 0 {
		memory = fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%s/%s, %s, %d cores, %s", runtime.GOOS, runtime.GOARCH, processor(), runtime.NumCPU(), memory)
}

// processor returns the name of the processor, as Linux says it.
func processor() string {
	if name := procField("/proc/cpuinfo", "model name"); name != "" {
		return name
	}
	return "unknown processor"
}

// ram returns the bytes of memory; 0 if the system does not say.
func ram() int64 { return kilobytes("/proc/meminfo", "MemTotal") }

// kilobytes reads a field that the system gives in kB, and returns it in bytes; 0 if there is none.
func kilobytes(file, name string) int64 {
	text, _, _ := strings.Cut(procField(file, name), " ")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// procField reads the value of a field, "name : value", from a file of the system; "" if there is none.
func procField(file, name string) string {
	f, err := os.Open(file) //nolint:gosec // a file of /proc
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
