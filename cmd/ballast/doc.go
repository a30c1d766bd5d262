// Command ballast keeps Kafka topics where they were declared to be.
//
// Each verb has a file of its own, with its flags, its wiring and its exit
// code; app.go lists them. Prompts, colours, flags and os.Exit exist in this
// room only. Results go to standard output, all else to standard error.
//
// Read app.go first, then plan.go.
package main
