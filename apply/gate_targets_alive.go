package apply

// gateTargetsAlive waits for every broker that gets a replica: Kafka accepts a
// dead one, and the move then stays in flight until that comes back.
func gateTargetsAlive(s *scene) []Hold {
	var out []Hold
	for _, m := range s.batch {
		for _, b := range without(m.After, m.Before) {
			if !s.look.alive[b] {
				out = append(out, hold(m.Key(), b, "start the broker, or plan without it", "broker %d, which gets a replica, is down", b))
			}
		}
	}
	return out
}
