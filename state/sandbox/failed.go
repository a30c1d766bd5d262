package sandbox

import (
	"reflect"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// failed returns the answer that has the error in every item and, where the
// answer has one, at the top: what Kafka's getErrorResponse makes.
func failed(r kmsg.Request, code int16) kmsg.Response {
	resp := r.ResponseKind()
	mirror(reflect.ValueOf(r).Elem(), reflect.ValueOf(resp).Elem(), code)
	return resp
}

// asked are the request's fields that an answer's are made of where their
// names differ.
var asked = map[string]string{"Topics": "TopicNames", "Coordinators": "CoordinatorKeys"}

// mirror fills an answer from its request: fields of the same name and type
// are copied, a slice of structs gets an element for each of the request's,
// and every ErrorCode is set.
func mirror(req, resp reflect.Value, code int16) {
	if d, ok := resp.Addr().Interface().(interface{ Default() }); ok {
		d.Default()
	}
	for i := range resp.NumField() {
		name, to := resp.Type().Field(i).Name, resp.Field(i)
		if name == "ErrorCode" {
			to.SetInt(int64(code))
			continue
		}
		from := req.FieldByName(name)
		if other := req.FieldByName(asked[name]); other.IsValid() && other.Len() > 0 {
			from = other
		}
		if !from.IsValid() || name == "Version" || name == "UnknownTags" {
			continue
		}
		switch {
		case to.Type() == from.Type():
			to.Set(from)
		case isStructs(to) && isStructs(from):
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
			for j := range from.Len() {
				mirror(from.Index(j), to.Index(j), code)
			}
		case isStructs(to) && from.Kind() == reflect.Slice:
			mirrorList(from, to, code)
		}
	}
}

func isStructs(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct
}

// mirrorList makes elements of a list of partition ids or names.
func mirrorList(from, to reflect.Value, code int16) {
	to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
	for j := range from.Len() {
		element := to.Index(j)
		if d, ok := element.Addr().Interface().(interface{ Default() }); ok {
			d.Default()
		}
		if f := element.FieldByName("ErrorCode"); f.IsValid() {
			f.SetInt(int64(code))
		}
		for _, name := range []string{"Partition", "Group", "Key"} {
			if f := element.FieldByName(name); f.IsValid() && f.Type() == from.Index(j).Type() {
				f.Set(from.Index(j))
			}
		}
		if f := element.FieldByName("Topic"); f.IsValid() && f.Type() == reflect.TypeFor[*string]() {
			name := from.Index(j).String()
			f.Set(reflect.ValueOf(&name))
		}
	}
}

// topicsOf returns the topics that a request names, by name or id.
func topicsOf(r kmsg.Request, c *cluster) []string {
	var out []string
	if r, ok := r.(*kmsg.DeleteTopicsRequest); ok {
		out = append(out, r.TopicNames...)
	}
	if r, ok := r.(*kmsg.IncrementalAlterConfigsRequest); ok {
		for _, x := range r.Resources {
			out = append(out, x.ResourceName)
		}
	}
	if r, ok := r.(*kmsg.DescribeConfigsRequest); ok {
		for _, x := range r.Resources {
			out = append(out, x.ResourceName)
		}
	}
	topics := reflect.ValueOf(r).Elem().FieldByName("Topics")
	if !topics.IsValid() || !isStructs(topics) {
		return out
	}
	for i := range topics.Len() {
		out = append(out, topicNamed(topics.Index(i), c)...)
	}
	return out
}

func topicNamed(v reflect.Value, c *cluster) []string {
	if f := v.FieldByName("Topic"); f.IsValid() {
		switch name := f.Interface().(type) {
		case string:
			if name != "" {
				return []string{name}
			}
		case *string:
			if name != nil {
				return []string{*name}
			}
		}
	}
	if f := v.FieldByName("TopicID"); f.IsValid() {
		if id, ok := f.Interface().([16]byte); ok && c.topicIDs[id] != nil {
			return []string{c.topicIDs[id].name}
		}
	}
	return nil
}
