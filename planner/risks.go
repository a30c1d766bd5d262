package planner

import (
	"ballast/config"
)

// riskRules is the list of what a reviewer is told of a change. Each rule has a
// file of its own and adds what it finds.
var riskRules = []func(m *maker, t *subject, r *riskList){
	riskKeysRemapped,
	riskMinISR,
	riskRetention,
	riskCleanupPolicy,
	riskUncleanElection,
	riskMessageSize,
	riskRedundancy,
	riskRackDiversity,
	riskMayNotComplete,
	riskNoSource,
	riskTopicDeleted,
}

// risks fills in the risks of a topic's change.
func (m *maker) risks(t *subject) {
	r := &riskList{}
	for _, rule := range riskRules {
		rule(m, t, r)
	}
	t.change.Risks = r.list
}

type riskList struct{ list []Risk }

func (r *riskList) add(code, message string) {
	r.list = append(r.list, Risk{Code: code, Severity: config.SeverityWarning, Message: message})
}

// changed returns the change of a config by name, or nil.
func (c *Change) changed(key string) *ConfigChange {
	for i := range c.Config {
		if c.Config[i].Name == key {
			return &c.Config[i]
		}
	}
	return nil
}
