package sizing

// maxInRequest is how many partitions a controller creates for one request.
const maxInRequest = 10_000

// checkRequest: Kafka refuses to create or add more partitions than that at once.
func checkRequest(r *Report) Check {
	return Check{Code: "request", Unit: Partitions, Alive: &Measure{Value: int64(r.Partitions - r.Existing), Limit: maxInRequest}}
}
