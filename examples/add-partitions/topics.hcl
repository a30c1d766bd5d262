cluster "prod" {
  bootstrap = ["localhost:9092"]
}

# Existing partitions lean on brokers 1, 3 and 5. Kafka's own expansion does
# not look at them; the new ones here go where they even that out.
topic "clicks" {
  partitions          = 12
  replication_factor  = 3
  min_insync_replicas = 2
}

# Keys are hashed over the partitions: growing remaps them, and the plan says so.
topic "invoices" {
  partitions          = 6
  replication_factor  = 3
  min_insync_replicas = 2
  keyed               = true
}
