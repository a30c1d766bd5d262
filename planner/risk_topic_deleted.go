package planner

import "fmt"

// riskTopicDeleted: there is no way back.
func riskTopicDeleted(m *maker, t *subject, r *riskList) {
	if t.change.Action != Delete {
		return
	}
	size, _ := topicSize(t.live)
	message := fmt.Sprintf("The topic is deleted with all that it holds (%d bytes). There is no way back.", size)
	for i := range t.live.Partitions {
		if t.live.Partitions[i].InFlight() {
			message += " A reassignment of it is under way."
			break
		}
	}
	r.add("topic_deleted", message)
}
