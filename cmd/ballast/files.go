package main

import "strings"

// globEscape takes the meaning from what filepath.Glob would expand.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
