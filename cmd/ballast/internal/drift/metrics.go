package drift

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

// lastSuccess is the metric that an alert on a silent watch reads.
const lastSuccess = "ballast_last_success_timestamp_seconds"

// WriteMetrics writes the report as text for Prometheus' node exporter. Success
// is when drift was last told whole; the zero time is never.
func (r *Report) WriteMetrics(w io.Writer, success time.Time) error {
	families, err := r.registry(success).Gather()
	if err != nil {
		return err
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return err
		}
	}
	return nil
}

// LastSuccess is the time of the last success that written metrics tell, or the
// zero time.
func LastSuccess(metrics []byte) time.Time {
	for line := range strings.Lines(string(metrics)) {
		if strings.HasPrefix(line, lastSuccess) {
			fields := strings.Fields(line)
			if at, err := strconv.ParseFloat(fields[len(fields)-1], 64); err == nil && at > 0 && at < 1<<40 {
				return time.Unix(int64(at), 0)
			}
		}
	}
	return time.Time{}
}

// registry holds the report's metrics.
func (r *Report) registry(at time.Time) *prometheus.Registry {
	g := gauges{prometheus.NewRegistry(), prometheus.Labels{"cluster": label(r.name())}}
	g.one("ballast_drift", "Whether the cluster has drifted from its declaration for good: 1 or 0.", number(r.Drifted))
	g.one("ballast_drift_errored", "Whether the declaration has errors, so that drift may be missing: 1 or 0.", number(r.Errored))
	g.one("ballast_topics_unmanaged", "Topics that nobody declared.", float64(r.Unmanaged))
	if !at.IsZero() {
		g.one(lastSuccess, "When drift was last told whole, in Unix time.", float64(at.Unix()))
	}
	r.changes(g)
	r.health(g)
	r.loads(g)
	return g.registry
}

func (r *Report) name() string {
	if r.Cluster.Name != "" {
		return r.Cluster.Name
	}
	return r.Cluster.ID
}

func (r *Report) changes(g gauges) {
	v := g.vector("ballast_drift_changes", "Things that differ from what is declared, by topic and kind.", "topic", "kind")
	for _, i := range r.Durable {
		v.WithLabelValues(label(i.Topic), string(i.Kind)).Add(float64(max(1, i.Count)))
	}
}

func (r *Report) health(g gauges) {
	n := map[Kind]int{}
	for _, i := range r.Transient {
		n[i.Kind] += max(1, i.Count)
	}
	g.one("ballast_partitions_offline", "Partitions without a leader.", float64(n[Offline]))
	g.one("ballast_partitions_under_min_isr", "Partitions with fewer replicas in sync than min.insync.replicas.", float64(n[UnderMinISR]))
	g.one("ballast_partitions_under_replicated", "Partitions with a replica out of sync.", float64(n[UnderReplicated]))
	g.one("ballast_partitions_in_flight", "Partitions that are being reassigned.", float64(n[InFlight]))
	g.one("ballast_partitions_not_preferred_led", "Partitions that another than the preferred leader leads.", float64(n[Leader]))
	g.one("ballast_brokers_dead", "Registered brokers that are not alive.", float64(n[DeadBroker]))
}

func (r *Report) loads(g gauges) {
	replicas := g.vector("ballast_broker_replicas", "Replicas on the broker.", "broker", "rack")
	leaders := g.vector("ballast_broker_leaders", "Partitions that the broker leads.", "broker", "rack")
	bytes := g.vector("ballast_broker_bytes", "Bytes of the replicas on the broker whose size is known.", "broker", "rack")
	for _, b := range r.Brokers {
		id := strconv.Itoa(int(b.ID))
		replicas.WithLabelValues(id, label(b.Rack)).Set(float64(b.Replicas))
		leaders.WithLabelValues(id, label(b.Rack)).Set(float64(b.Leaders))
		bytes.WithLabelValues(id, label(b.Rack)).Set(float64(b.Bytes))
	}
}

// gauges are the gauges of one cluster.
type gauges struct {
	registry *prometheus.Registry
	labels   prometheus.Labels
}

func (g gauges) vector(name, help string, labels ...string) *prometheus.GaugeVec {
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: g.labels}, labels)
	g.registry.MustRegister(v)
	return v
}

func (g gauges) one(name, help string, value float64) {
	g.vector(name, help).WithLabelValues().Set(value)
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
