cluster "prod" {
  bootstrap = ["localhost:9092"]
}

defaults {
  replication_factor  = 3
  min_insync_replicas = 2
}

# Producers are in rack r1: its replicas are to lead, each broker there as
# often as the other.
topic "orders" {
  leaders {
    racks   = ["r1"]
    balance = "topic"
  }
}

# All six leaders are on brokers 3 and 4: spread them.
topic "payments" {
  leaders {
    balance = "topic"
  }
}
