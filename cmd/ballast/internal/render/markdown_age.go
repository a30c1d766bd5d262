package render

import "time"

// AgeLine is how the line of a comment begins that tells the state's age. It
// alone depends on when a comment is written: who compares two comments leaves
// it out.
const AgeLine = "<sub>Age of the state: "

// age is the last line of a comment: how old the state was that the plan was
// made from, told so coarsely that it changes once an hour, later once a day.
func age(takenAt string, now time.Time) string {
	taken, err := time.Parse(time.RFC3339Nano, takenAt)
	if err != nil || taken.IsZero() {
		return ""
	}
	return AgeLine + ageWords(now.Sub(taken)) + "</sub>\n"
}

func ageWords(old time.Duration) string {
	hours := int(old / time.Hour)
	switch {
	case old < -time.Minute:
		return "none, it was read later than now by this machine's clock"
	case hours < 1:
		return "less than an hour"
	case hours < 48:
		return count(hours, "hour", "hours")
	}
	return count(hours/24, "day", "days")
}
