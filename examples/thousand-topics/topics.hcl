cluster "prod" {
  bootstrap = ["localhost:9092"]
}

locals {
  day     = 24 * 3600 * 1000
  regions = ["ap", "eu", "sa", "us"]

  teams = [
    "accounts", "ads", "billing", "cart", "catalog", "chat", "checkout", "content", "coupons", "delivery",
    "devices", "feedback", "fraud", "identity", "invoices", "loyalty", "mail", "orders", "payments", "pricing",
    "profiles", "returns", "search", "stock", "support",
  ]

  # Each team has these topics in each region.
  kinds = {
    changes      = { partitions = 6, days = 7, compact = true }
    commands     = { partitions = 3, days = 1, compact = false }
    dead-letters = { partitions = 1, days = 30, compact = false }
    events       = { partitions = 6, days = 7, compact = false }
    exports      = { partitions = 1, days = 3, compact = false }
    metrics      = { partitions = 2, days = 2, compact = false }
    replies      = { partitions = 3, days = 1, compact = false }
    retries      = { partitions = 3, days = 3, compact = false }
    snapshots    = { partitions = 3, days = 7, compact = true }
    traces       = { partitions = 2, days = 1, compact = false }
  }

  # Their kinds by name, "cart.eu.events" => "events": 1,000 of them.
  topics = {
    for parts in setproduct(local.teams, local.regions, keys(local.kinds)) :
    join(".", parts) => parts[2]
  }

  # Those that need more than others of their kind.
  larger = { "orders.eu.events" = 24, "payments.eu.events" = 12 }
}

defaults {
  replication_factor  = 3
  min_insync_replicas = 2
}

topic "all" {
  for_each   = local.topics
  name       = each.key
  partitions = lookup(local.larger, each.key, local.kinds[each.value].partitions)

  config = {
    "cleanup.policy" = local.kinds[each.value].compact ? "compact" : null
    "retention.ms"   = local.kinds[each.value].compact ? null : local.kinds[each.value].days * local.day
  }
}
