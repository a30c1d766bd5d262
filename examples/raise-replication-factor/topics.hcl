# The classic: a topic with one copy on brokers 5, 6 and 7 gets three.
cluster "classic" {
  bootstrap = ["localhost:9092"]
}

topic "foo" {
  partitions          = 3
  replication_factor  = 3
  min_insync_replicas = 2
}
