topic "orders" {
  partitions = 3 * var.scale
}

topic "payments" {
  partitions = 3
  config     = { "retention.ms" = (var.env == "prod" ? 30 : 1) * local.day }
}

# Only where somebody looks at it.
topic "audit" {
  for_each   = var.env == "dev" ? {} : { audit = 3 }
  name       = each.key
  partitions = each.value
  config     = { "cleanup.policy" = "compact" }
}
