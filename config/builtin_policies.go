package config

import "github.com/hashicorp/hcl/v2/hclsyntax"

// BuiltinPolicies says which of the policies that come with ballast are on. The
// zero value has all of them off; a configuration that says nothing, all on.
type BuiltinPolicies struct {
	FewReplicas     bool // fewer than three replicas
	NoSpareReplica  bool // min.insync.replicas is all of the replicas
	BrokerLoad      bool // too many partitions on a broker
	UncleanElection bool // an out-of-sync replica may lead
	EvenReplicas    bool // four or more replicas, an even number
}

func (l *loader) builtinPolicies(blocks []*hclsyntax.Block, d *Desired) {
	on := &d.Builtin
	*on = BuiltinPolicies{true, true, true, true, true}
	b, decoded := l.single(blocks, builtinPoliciesBlock)
	if b == nil {
		return
	}
	get(decoded.out, "few_replicas", &on.FewReplicas)
	get(decoded.out, "no_spare_replica", &on.NoSpareReplica)
	get(decoded.out, "broker_load", &on.BrokerLoad)
	get(decoded.out, "unclean_election", &on.UncleanElection)
	get(decoded.out, "even_replicas", &on.EvenReplicas)
}
