# Two copies so far: a third one in the rack that has none.
topic "orders" {
  partitions = 6
}

# Six partitions so far: six more, on the brokers that hold fewest.
topic "payments" {
  partitions = 12
  keyed      = true
}

# New.
topic "audit" {
  partitions = 3
  config = {
    "retention.ms" = 30 * 24 * 3600 * 1000
  }
}

# The topic "sessions" is not declared: it is left alone.
