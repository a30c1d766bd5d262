cluster "prod" {
  bootstrap = ["localhost:9092"]
}

# Broker 6 is to be taken away: nothing may stay on it.
broker "6" {
  drain = true
}

topic "orders" {
  replication_factor  = 3
  min_insync_replicas = 2
}

topic "payments" {
  replication_factor  = 3
  min_insync_replicas = 2
}

topic "scratch" {
  replication_factor = 1
}
