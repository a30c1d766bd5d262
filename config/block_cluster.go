package config

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func (l *loader) cluster(blocks []*hclsyntax.Block, d *Desired) {
	b, decoded := l.single(blocks, clusterBlock)
	if b == nil {
		return
	}
	s := decoded.out
	c := Cluster{Name: b.Labels[0], Source: sourceOf(b.DefRange()), Broken: decoded.bad() || len(blocks) > 1}
	get(s, "bootstrap", &c.Bootstrap)
	get(s, "cluster_id", &c.ClusterID)
	for _, inner := range b.Body.Blocks {
		switch inner.Type {
		case tlsBlock.name:
			c.TLS = l.tls(inner, decoded, &c)
		case saslBlock.name:
			c.SASL = l.sasl(inner, decoded, &c)
		}
	}
	d.Cluster = c
}

func (l *loader) apply(blocks []*hclsyntax.Block, d *Desired) {
	b, decoded := l.single(blocks, applyBlock)
	if b == nil {
		return
	}
	s, a := decoded.out, &d.Apply
	get(s, "throttle", &a.Throttle)
	side, failed := string(a.ThrottleSide), string(a.OnFailedGate)
	get(s, "throttle_side", &side)
	get(s, "on_failed_gate", &failed)
	a.ThrottleSide, a.OnFailedGate = ThrottleSide(side), OnFailedGate(failed)
	get(s, "max_moves_per_broker", &a.MaxMovesPerBroker)
	get(s, "max_batch_partitions", &a.MaxBatchPartitions)
	get(s, "max_batch_bytes", &a.MaxBatchBytes)
	get(s, "disk_headroom", &a.DiskHeadroom)
	get(s, "gate_timeout", &a.GateTimeout)
	get(s, "gate_settle", &a.GateSettle)
	get(s, "stall_timeout", &a.StallTimeout)
	get(s, "elections", &a.Elections)
	get(s, "reclaim_first", &a.ReclaimFirst)
}

func (l *loader) unmanaged(blocks []*hclsyntax.Block, d *Desired) {
	b, decoded := l.single(blocks, unmanagedBlock)
	if b == nil {
		return
	}
	replicas := ""
	get(decoded.out, "replicas", &replicas)
	get(decoded.out, "exclude", &d.Unmanaged.Exclude)
	d.Unmanaged.Replicas, d.Unmanaged.Source = UnmanagedReplicas(replicas), sourceOf(b.DefRange())
}
