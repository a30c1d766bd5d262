cluster "prod" {
  bootstrap = ["localhost:9092"]
}

defaults {
  replication_factor  = 3
  min_insync_replicas = 2
}

topic "orders-eu" {}

topic "orders-us" {
  partitions = 4
}

topic "tmp-replay" {
  replication_factor  = 1
  min_insync_replicas = 1
  config              = { "retention.ms" = "2h" }
}
