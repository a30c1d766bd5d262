package state

import (
	"encoding/json"
	"fmt"
)

// resourceDocument is a ConfigResource in a document, its type in words.
type resourceDocument struct {
	Type string `json:"type"` // topic or broker
	Name string `json:"name"` // "" for all brokers
}

var resourceTypes = map[ResourceType]string{TopicResource: "topic", BrokerResource: "broker"}

// MarshalJSON writes {"type":"topic","name":"orders"}.
func (r ConfigResource) MarshalJSON() ([]byte, error) {
	return json.Marshal(resourceDocument{resourceTypes[r.Type], r.Name})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *ConfigResource) UnmarshalJSON(text []byte) error {
	var d resourceDocument
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	for typ, word := range resourceTypes {
		if word == d.Type {
			*r = ConfigResource{Type: typ, Name: d.Name}
			return nil
		}
	}
	return fmt.Errorf("the type of a resource is topic or broker, not %q", d.Type)
}
