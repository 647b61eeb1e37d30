// Judges the texts of verdicts.txt by Go's net/netip, on standard input and output:
//
//	go run verdicts.go < verdicts.txt > judged.txt
//
// A line is a quoted text, a tab, and `refused` or the prefix as Go prints it, a tab, and the
// prefix masked. Lines that open with # pass through. Must not live here: texts.
package main

import (
	"bufio"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// Two rules of present releases that Go 1.19, which may run this, lacks: a length has no sign and
// no leading zero, a group has at most four digits.
func refusedLater(text string) bool {
	address, length, _ := strings.Cut(text, "/")
	if len(length) > 1 && (length[0] < '1' || length[0] > '9') {
		return true
	}
	for _, group := range strings.Split(address, ":") {
		if strings.Contains(address, ":") && !strings.Contains(group, ".") && len(group) > 4 {
			return true
		}
	}
	return false
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "\t")
		text, err := strconv.Unquote(line)
		if err != nil {
			fmt.Fprintln(out, lines.Text())
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if err != nil || refusedLater(text) {
			fmt.Fprintf(out, "%s\trefused\n", line)
		} else {
			fmt.Fprintf(out, "%s\t%s\t%s\n", line, prefix, prefix.Masked())
		}
	}
}
