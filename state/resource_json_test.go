package state

import (
	"encoding/json"
	"testing"
)

func TestResourcesInJSONHaveTheirTypeInWords(t *testing.T) {
	for want, r := range map[string]ConfigResource{
		`{"type":"topic","name":"orders"}`: {TopicResource, "orders"},
		`{"type":"broker","name":""}`:      {BrokerResource, ""},
	} {
		text, err := json.Marshal(r)
		var back ConfigResource
		if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || back != r {
			t.Errorf("%s, %v, read back as %+v", text, err, back)
		}
	}
	if json.Unmarshal([]byte(`{"type":"group","name":"x"}`), &ConfigResource{}) == nil {
		t.Error("a type that there is not is read")
	}
}
