package render

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"

	"ballast/config"
	"ballast/planner"
)

//go:embed html/plan.html
var htmlPage string

//go:embed html/plan.css
var htmlStyle string

//go:embed html/plan.js
var htmlScript string

var htmlTemplate = template.Must(template.New("plan").Parse(htmlPage))

// HTML draws a plan as one page that needs nothing else: no network, no other
// file. What matters most stands in the page itself; the tables are drawn from
// the data in it, as much of them at a time as a person looks at.
func HTML(w io.Writer, p *planner.Plan) error {
	data, err := json.Marshal(htmlDataOf(p))
	if err != nil {
		return err
	}
	page := htmlView{
		Verdict: verdict(p), Summary: Summary(p), Plan: p, Taken: Moment(p.Cluster.TakenAt),
		Errors: ofSeverity(p, config.SeverityError), Warnings: ofSeverity(p, config.SeverityWarning),
		Style: template.CSS(htmlStyle), Script: template.JS(htmlScript), Data: template.JS(data),
	}
	if len(p.Steps) > 0 {
		page.Costs = costLines(p)
	}
	return Visible(w, func(w io.Writer) error {
		b := newWriter(w)
		if err := htmlTemplate.Execute(b, page); err != nil {
			return err
		}
		return b.Flush()
	})
}

// htmlView is what the template shows. Data is JSON as encoding/json writes it,
// with <, > and & escaped, so that no name in it can end the script.
type htmlView struct {
	Verdict, Summary, Taken string
	Plan                    *planner.Plan
	Errors, Warnings        []config.Diagnostic
	Costs                   []string
	Style                   template.CSS
	Script, Data            template.JS
}

func ofSeverity(p *planner.Plan, s config.Severity) (out []config.Diagnostic) {
	for _, d := range p.Diagnostics {
		if d.Severity == s && d.Code != partialPlan {
			out = append(out, d)
		}
	}
	return out
}

// htmlData is the plan in short, for the page's script.
type htmlData struct {
	Brokers []planner.Broker `json:"brokers"`
	Topics  []htmlTopic      `json:"topics"`
	Steps   []htmlStep       `json:"steps"`
}

type htmlTopic struct {
	Name        string                 `json:"name"`
	Action      planner.Action         `json:"action"`
	What        string                 `json:"what"` // in a few words
	Risks       []string               `json:"risks,omitempty"`
	Config      []planner.ConfigChange `json:"config,omitempty"`
	Assignments [][]any                `json:"assignments,omitempty"` // partition, before, after, note
}

type htmlStep struct {
	ID      int          `json:"id"`
	Kind    planner.Kind `json:"kind"`
	Topic   string       `json:"topic,omitempty"`
	Moves   int          `json:"moves"`
	Bytes   string       `json:"bytes,omitempty"`
	Seconds int64        `json:"seconds"`
	Time    string       `json:"time"`
}

func htmlDataOf(p *planner.Plan) htmlData {
	d := htmlData{Brokers: p.Brokers, Topics: make([]htmlTopic, len(p.Changes)), Steps: make([]htmlStep, len(p.Steps))}
	for i, c := range p.Changes {
		d.Topics[i] = htmlTopicOf(c)
	}
	for i, s := range p.Steps {
		d.Steps[i] = htmlStep{ID: s.ID, Kind: s.Kind, Topic: s.Topic, Moves: len(s.Moves), Seconds: s.Seconds, Time: Seconds(s.Seconds)}
		if s.Bytes > 0 {
			d.Steps[i].Bytes = Bytes(s.Bytes)
		}
	}
	return d
}

func htmlTopicOf(c planner.Change) htmlTopic {
	t := htmlTopic{Name: Safe(c.Topic), Action: c.Action, What: oneLine(c), Config: c.Config}
	for _, r := range c.Risks {
		t.Risks = append(t.Risks, Safe(r.Message))
	}
	if c.Action == planner.Delete {
		return t
	}
	t.Assignments = make([][]any, len(c.Assignments))
	for i, a := range c.Assignments {
		t.Assignments[i] = []any{a.Partition, a.Before, a.After, assignmentNote(a)}
	}
	return t
}
