package config

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Policy is a condition that every plan has to meet.
type Policy struct {
	Name     string
	Topics   []string // globs of topic names
	Severity Severity // of what it says where its condition does not hold
	// OfPlan says that neither its condition nor its message looks at a topic or
	// a change: once for a plan is enough, and what it says names no topic.
	OfPlan bool
	Source Source

	evaluate func(PolicyInput) []Diagnostic
}

// PolicyInput is what a policy's expressions see: a topic as it will be, what
// changes of it, and the plan as a whole.
type PolicyInput struct {
	Topic  PolicyTopic
	Change PolicyChange
	Plan   PolicyPlan
}

// PolicyTopic is a topic as it will be once the plan has been carried out.
type PolicyTopic struct {
	Name              string
	Partitions        int
	ReplicationFactor int // the largest of any partition
	MinInsyncReplicas int // as it takes effect
	Keyed             bool
	Config            map[string]string // effective values, as far as they are known
	ReplicasPerRack   map[string]int    // of all partitions
}

// PolicyChange is what the plan does to the topic.
type PolicyChange struct {
	Action          string // "create", "update", "delete" or "none"
	Bytes           int64  // to copy, of the partitions whose size is known
	PartitionsAdded int
	ReplicasAdded   int
	ReplicasRemoved int
	LeadersMoved    int
	Configs         []string // keys that change
}

// PolicyPlan is the plan as a whole.
type PolicyPlan struct {
	BytesToCopy     int64
	Seconds         int64 // estimated
	TopicsCreate    int
	TopicsUpdate    int
	TopicsDelete    int
	PartitionsAdded int
	ReplicasAdded   int
	ReplicasRemoved int
	LeadersMoved    int
}

// Applies says whether the policy is about a topic.
func (p *Policy) Applies(topic string) bool { return matching(p.Topics, topic) != "" }

// Evaluate returns what the policy has to say of a topic: nothing where its
// condition holds. A condition that cannot be evaluated is an error.
func (p *Policy) Evaluate(in PolicyInput) []Diagnostic { return p.evaluate(in) }

// values are the variables of a policy's expressions.
func (in PolicyInput) values() map[string]cty.Value {
	t, c, p := in.Topic, in.Change, in.Plan
	return map[string]cty.Value{
		"topic": cty.ObjectVal(map[string]cty.Value{
			"name": cty.StringVal(t.Name), "partitions": number(t.Partitions), "replication_factor": number(t.ReplicationFactor),
			"min_insync_replicas": number(t.MinInsyncReplicas), "keyed": cty.BoolVal(t.Keyed),
			"config": textMap(t.Config), "replicas_per_rack": numberMap(t.ReplicasPerRack),
		}),
		"change": cty.ObjectVal(map[string]cty.Value{
			"action": cty.StringVal(c.Action), "bytes": cty.NumberIntVal(c.Bytes), "partitions_added": number(c.PartitionsAdded),
			"replicas_added": number(c.ReplicasAdded), "replicas_removed": number(c.ReplicasRemoved), "leaders_moved": number(c.LeadersMoved),
			"configs": textList(c.Configs),
		}),
		"plan": cty.ObjectVal(map[string]cty.Value{
			"bytes_to_copy": cty.NumberIntVal(p.BytesToCopy), "seconds": cty.NumberIntVal(p.Seconds),
			"topics_create": number(p.TopicsCreate), "topics_update": number(p.TopicsUpdate), "topics_delete": number(p.TopicsDelete),
			"partitions_added": number(p.PartitionsAdded), "replicas_added": number(p.ReplicasAdded), "replicas_removed": number(p.ReplicasRemoved),
			"leaders_moved": number(p.LeadersMoved),
		}),
	}
}

func number(n int) cty.Value { return cty.NumberIntVal(int64(n)) }

func textMap(m map[string]string) cty.Value {
	out := map[string]cty.Value{}
	for k, v := range m {
		out[k] = cty.StringVal(v)
	}
	if len(out) == 0 {
		return cty.MapValEmpty(cty.String)
	}
	return cty.MapVal(out)
}

func numberMap(m map[string]int) cty.Value {
	out := map[string]cty.Value{}
	for k, v := range m {
		out[k] = number(v)
	}
	if len(out) == 0 {
		return cty.MapValEmpty(cty.Number)
	}
	return cty.MapVal(out)
}

func textList(list []string) cty.Value {
	if len(list) == 0 {
		return cty.ListValEmpty(cty.String)
	}
	out := make([]cty.Value, len(list))
	for i, s := range list {
		out[i] = cty.StringVal(s)
	}
	return cty.ListVal(out)
}

// policies reads the policy blocks.
func (l *loader) policies(blocks []*hclsyntax.Block, d *Desired) {
	places := map[string][]hcl.Range{}
	for _, b := range blocks {
		places[b.Labels[0]] = append(places[b.Labels[0]], b.DefRange())
		decoded := l.decode(b.Body, policyBlock, l.ctx, "")
		p := Policy{Name: b.Labels[0], Topics: []string{"*"}, Severity: SeverityError, Source: sourceOf(b.DefRange())}
		severity := string(p.Severity)
		get(decoded.out, "topics", &p.Topics)
		get(decoded.out, "severity", &severity)
		p.Severity = Severity(severity)
		if decoded.bad() || !l.soundPolicy(decoded) {
			continue
		}
		p.OfPlan = decoded.ofPlan()
		p.evaluate = l.evaluator(p, decoded)
		d.Policies = append(d.Policies, p)
	}
	for _, name := range sortedKeys(places) {
		if len(places[name]) > 1 {
			l.add(declaredTwice("the policy "+quote(name), "duplicate_policy", places[name]))
		}
	}
	sort.Slice(d.Policies, func(i, j int) bool { return d.Policies[i].Name < d.Policies[j].Name })
}

// soundPolicy evaluates a policy's expressions with values that are not known
// yet, so that what is wrong with them is found without a plan.
func (l *loader) soundPolicy(d *decoder) bool {
	ctx := l.ctx.NewChild()
	ctx.Variables = map[string]cty.Value{}
	for name, v := range (PolicyInput{}).values() {
		ctx.Variables[name] = cty.UnknownVal(v.Type())
	}
	before := len(l.list)
	for _, name := range []string{"condition", "error_message"} {
		l.value(d.expression(name), ctx, "")
	}
	return len(l.list) == before
}

// ofPlan says whether a policy's expressions look at the plan alone.
func (d *decoder) ofPlan() bool {
	for _, name := range []string{"condition", "error_message"} {
		for _, v := range d.expression(name).Variables() {
			if root := v.RootName(); root == "topic" || root == "change" {
				return false
			}
		}
	}
	return true
}

// evaluator makes the function that evaluates a policy. It keeps what it needs
// of the language, so that nobody else has to know it.
func (l *loader) evaluator(p Policy, d *decoder) func(PolicyInput) []Diagnostic {
	condition := d.expression("condition")
	return func(in PolicyInput) []Diagnostic {
		topic := in.Topic.Name
		if p.OfPlan {
			topic = ""
		}
		ctx := l.ctx.NewChild()
		ctx.Variables = in.values()
		// The findings of one evaluation are its own.
		once := &loader{findings: findings{secrets: l.secrets}, options: l.options, dir: l.dir, ctx: ctx, inputs: l.inputs, named: l.named}
		holds, ok := once.value(condition, ctx, topic)
		if !ok {
			return once.list
		}
		holds, _ = holds.UnmarkDeep()
		truth, err := convert.Convert(holds, cty.Bool)
		if err != nil || truth.IsNull() {
			return []Diagnostic{fault("invalid_value", "Invalid condition", fmt.Sprintf("The condition of the policy %s is true or false; this is %s.", quote(p.Name), friendly(holds)), condition.Range()).about(topic)}
		}
		if truth.True() {
			return nil
		}
		message := once.message(d, ctx, "Its condition does not hold.")
		once.add(newDiagnostic(p.Severity, "policy", "Policy "+quote(p.Name), message, condition.Range()).about(topic).evaluating(condition, ctx))
		return once.list
	}
}
