package benchmarks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Measured is one run of `ballast plan`.
type Measured struct {
	Scenario Scenario
	Used
	Copies  int // planned
	Bound   int // the fewest copies of any plan
	Leaders int // leader moves planned
	Steps   int
	plan    string // the file that it is in
}

// document is what is read of a plan.
type document struct {
	Optimality struct {
		Replica struct {
			Planned    int `json:"planned"`
			LowerBound int `json:"lower_bound"`
		} `json:"replica_copies"`
		Leader struct {
			Planned int `json:"planned"`
		} `json:"leader_moves"`
	} `json:"optimality"`
	Steps []struct {
		ID int `json:"id"`
	} `json:"steps"`
}

// Measure writes a scenario into dir and runs the binary on it, whole process:
// reading, planning, proving, and writing the plan to a file.
func Measure(binary, dir string, s Scenario) (Measured, error) {
	m := Measured{Scenario: s}
	if err := s.Write(dir); err != nil {
		return m, err
	}
	m.plan = filepath.Join(dir, "plan.json")
	u, err := run(s.patience(), dir, binary, "plan", "-snapshot", SnapshotFile, "-out", m.plan, ".")
	if err != nil {
		return m, fmt.Errorf("%s: %w", s.Name, err)
	}
	m.Used = u
	return m, m.read(m.plan)
}

// patience is when a run is ended: far beyond what is promised, so that one
// that never ends is told as such.
func (s Scenario) patience() time.Duration {
	return max(2*time.Minute, time.Duration(20*s.Seconds)*time.Second)
}

// read takes what was planned from the plan document.
func (m *Measured) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("%s: the plan cannot be read: %w", m.Scenario.Name, err)
	}
	m.Copies, m.Bound = d.Optimality.Replica.Planned, d.Optimality.Replica.LowerBound
	m.Leaders, m.Steps = d.Optimality.Leader.Planned, len(d.Steps)
	return nil
}

// Over says what exceeds what is promised; "" where nothing does.
func (m Measured) Over() string {
	var over []string
	if s := m.Scenario.Seconds; s > 0 && m.Wall.Seconds() > s {
		over = append(over, fmt.Sprintf("%.1f s, at most %g", m.Wall.Seconds(), s))
	}
	if most := m.Scenario.MiB; most > 0 && m.MiB > most {
		over = append(over, fmt.Sprintf("%d MiB, at most %d", m.MiB, most))
	}
	return strings.Join(over, "; ")
}

// Table is the runs as a Markdown table.
func Table(runs []Measured) string {
	var b strings.Builder
	b.WriteString("| work | s | at most | CPU s | MiB | at most | copies | fewest | leader moves | steps |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	for _, m := range runs {
		fmt.Fprintf(&b, "| %s | %.2f | %s | %.2f | %d | %s | %d | %d | %d | %d |\n",
			m.Scenario.Name, m.Wall.Seconds(), orDash(m.Scenario.Seconds), m.CPU.Seconds(), m.MiB, orDash(float64(m.Scenario.MiB)),
			m.Copies, m.Bound, m.Leaders, m.Steps)
	}
	return b.String()
}

// Grid is the runs of scenarios of several sizes as a Markdown table: a line for
// each size, a column for each kind of work, in each cell seconds of the clock,
// of processors, peak MiB, and copies where they are more than the fewest.
func Grid(runs []Measured) string {
	var sizes, works []string
	cells := map[string]string{}
	for _, m := range runs {
		s := m.Scenario
		if !slices.Contains(sizes, s.Size) {
			sizes = append(sizes, s.Size)
		}
		if !slices.Contains(works, s.Work) {
			works = append(works, s.Work)
		}
		cell := fmt.Sprintf("%.2f, %.2f, %d", m.Wall.Seconds(), m.CPU.Seconds(), m.MiB)
		if m.Copies > m.Bound {
			cell += fmt.Sprintf(" (%d copies, fewest %d)", m.Copies, m.Bound)
		}
		cells[s.Size+s.Work] = cell
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| s, CPU s, MiB | %s |\n|---|%s\n", strings.Join(works, " | "), strings.Repeat("---|", len(works)))
	for _, size := range sizes {
		fmt.Fprintf(&b, "| %s |", size)
		for _, work := range works {
			fmt.Fprintf(&b, " %s |", cells[size+work])
		}
		b.WriteString("\n")
	}
	return b.String()
}

func orDash(n float64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%g", n)
}
