# A cluster of six brokers in three racks. `make demo` starts it in a sandbox.
cluster "quickstart" {
  bootstrap = ["localhost:9092"]
}

# For every topic that does not say otherwise.
defaults {
  replication_factor  = 3
  min_insync_replicas = 2
}

# How apply goes about it.
apply {
  throttle             = "20MB/s" # per broker
  max_moves_per_broker = 5
}
