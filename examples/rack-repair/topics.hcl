cluster "prod" {
  bootstrap = ["localhost:9092"]
}

# Where every broker has a rack, a partition's copies are spread evenly over
# them; this is what `rack_spread = "even"` says, and the default.
defaults {
  replication_factor  = 3
  min_insync_replicas = 2
  replicas {
    rack_spread = "even"
  }
}

topic "orders" {}
topic "payments" {}
