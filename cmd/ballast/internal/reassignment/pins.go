package reassignment

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Pins writes the document as topic blocks that pin each partition to its
// list, to be merged into the blocks that declare those topics.
func (d Document) Pins(w io.Writer) error {
	rows := slices.Clone(d.Partitions)
	slices.SortFunc(rows, func(a, b Partition) int {
		if c := strings.Compare(a.Topic, b.Topic); c != 0 {
			return c
		}
		return int(a.Partition) - int(b.Partition)
	})
	var b strings.Builder
	for i, p := range rows {
		if i == 0 || rows[i-1].Topic != p.Topic {
			fmt.Fprintf(&b, "topic %q {\n  replicas {\n    pin = {\n", p.Topic)
		}
		fmt.Fprintf(&b, "      \"%d\" = %s\n", p.Partition, strings.ReplaceAll(fmt.Sprint(p.Replicas), " ", ", "))
		if i == len(rows)-1 || rows[i+1].Topic != p.Topic {
			b.WriteString("    }\n  }\n}\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
