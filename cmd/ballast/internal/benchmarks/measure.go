package benchmarks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Measured is one run of `ballast plan`.
type Measured struct {
	Scenario Scenario
	Wall     time.Duration // from start to end of the process
	CPU      time.Duration // user and system
	MiB      int           // peak resident memory
	Copies   int           // planned
	Bound    int           // the fewest copies of any plan
	Leaders  int           // leader moves planned
	Steps    int
	plan     string // the file that it is in
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
	ctx, cancel := context.WithTimeout(context.Background(), s.patience())
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "plan", "-snapshot", SnapshotFile, "-out", m.plan, ".")
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	start := time.Now()
	err := cmd.Run()
	m.Wall = time.Since(start)
	if err != nil {
		return m, fmt.Errorf("%s, after %v: %w: %s", s.Name, m.Wall.Round(time.Second), err, said.String())
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return m, errors.New("this system does not tell what a process used")
	}
	m.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	m.MiB = int(usage.Maxrss / 1024) // Linux counts kilobytes
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

func orDash(n float64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%g", n)
}
