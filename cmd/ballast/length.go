package main

import (
	"errors"
	"regexp"
	"strconv"
	"time"
)

// length is a flag's length of time: as Go writes one, and with days before it.
type length time.Duration

var inDays = regexp.MustCompile(`^(\d{1,5})d(.*)$`)

// Set reads "90s", "1h30m", "7d" or "1d12h".
func (l *length) Set(text string) error {
	days := time.Duration(0)
	if m := inDays.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return err
		}
		days, text = time.Duration(n)*24*time.Hour, m[2]
		if text == "" {
			text = "0s"
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("no length of time")
	}
	*l = length(days + d)
	return nil
}

// String is what the cli library reads back, or "" where nothing was set.
func (l *length) String() string {
	if l == nil || *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}
