cluster "prod" {
  bootstrap = ["localhost:9092"]
}

# Brokers 7, 8 and 9 have fast disks, one of them in each rack.
broker_class "fast" { brokers = [7, 8, 9] }
broker_class "large" { brokers = [1, 2, 3, 4, 5, 6] }

# Broker 6 has twice the disk of the others: balanced topics give it twice as much.
broker "6" { weight = 2 }

defaults {
  replication_factor  = 3
  min_insync_replicas = 2

  replicas {
    class = "large"
  }
}

topic "payments" {
  replicas {
    class = "fast"
  }
}

topic "archive" {}

topic "sessions" {
  partitions = 8

  replicas {
    balance = "topic"
  }
}
