package config

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

const minISRPath = "config.min.insync.replicas"

// put stores a setting; a config key by key.
func (d *decoder) put(path string, s *setting, a *hclsyntax.Attribute) {
	if path == "min_insync_replicas" {
		d.putMinISR(s)
		return
	}
	config, isConfig := s.value.(map[string]*string)
	if !isConfig {
		d.out[path] = s
		return
	}
	d.putConfig(path, config, a)
}

// putMinISR stores min_insync_replicas as the config that it is.
func (d *decoder) putMinISR(s *setting) {
	if n, ok := s.value.(int); ok {
		s.value = fmt.Sprint(n)
	}
	d.putKey(minISRPath, s)
}

// putKey stores a config key, which may not have been given in another way.
func (d *decoder) putKey(path string, s *setting) {
	if other := d.out[path]; other != nil {
		key := path[len("config."):]
		d.wrong(declaredTwice("the config "+quote(key), "duplicate_config", []hcl.Range{other.at, s.at}))
		return
	}
	d.out[path] = s
}

// putConfig stores a config attribute key by key, each with its place.
func (d *decoder) putConfig(path string, config map[string]*string, a *hclsyntax.Attribute) {
	places := d.keyPlaces(a.Expr)
	keys := make([]string, 0, len(config))
	for key := range config {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		s := &setting{at: a.SrcRange}
		if at, ok := places[key]; ok {
			s.at = at
		}
		if text := config[key]; text != nil {
			s.value, s.bad = d.configValue(key, *text, s.at)
		}
		d.putKey(path+"."+key, s)
	}
}

// configValue is the value of a config as Kafka takes it, and whether it is bad.
func (d *decoder) configValue(key, text string, at hcl.Range) (any, bool) {
	value, err := inKafkasUnits(key, text)
	if err != nil {
		d.report(fault("invalid_config_value", "Invalid config value", fmt.Sprintf("The config %s: %s", quote(key), sentence(err)), at))
		return nil, true
	}
	return value, !d.checkConfig(key, value, at)
}

// keyPlaces finds where each key of an object is written, as far as the
// expression shows it, and reports those that are there twice.
func (d *decoder) keyPlaces(e hclsyntax.Expression) map[string]hcl.Range {
	object, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return nil
	}
	out := map[string]hcl.Range{}
	for _, item := range object.Items {
		key, diags := item.KeyExpr.Value(d.ctx)
		if diags.HasErrors() || !key.IsWhollyKnown() || key.IsNull() || key.IsMarked() || key.Type() != cty.String {
			continue
		}
		at := hcl.RangeBetween(item.KeyExpr.Range(), item.ValueExpr.Range())
		if before, twice := out[key.AsString()]; twice {
			d.wrong(declaredTwice("the config "+quote(key.AsString()), "duplicate_config", []hcl.Range{before, at}))
		}
		out[key.AsString()] = at
	}
	return out
}
