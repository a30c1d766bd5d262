package state

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzDecode: whatever the bytes, Decode answers; what it accepts is JSON by
// the standard library's judgement too, and is the same after a round trip.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"format":"ballast-snapshot","version":1,"brokers":[],"topics":[],"unread":[{"what":"a","name":"\u00e9\ud83d\ude00","reason":"c"}]}`))
	f.Add([]byte(`{"version":1,"x":[-0.5e+3,{"a":null}],"format":"ballast-snapshot","topics":[],"brokers":[{"id":0,"alive":true,"log_dirs":[]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _, err := Decode(bytes.NewReader(data), "s.json")
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted, but no JSON: %q", data)
		}
		var first, second bytes.Buffer
		if err := Encode(&first, s); err != nil {
			t.Fatalf("decoded but not encoded: %v", err)
		}
		again, warnings, err := Decode(bytes.NewReader(first.Bytes()), "s.json")
		if err != nil {
			t.Fatalf("%v\n%s\n%v", err, first.Bytes(), warnings)
		}
		if err := Encode(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("not the same: %v\n%s\n%s", err, first.Bytes(), second.Bytes())
		}
	})
}
