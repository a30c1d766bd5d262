cluster "shop" {
  bootstrap = var.bootstrap
}

locals {
  day = 24 * 3600 * 1000
}

defaults {
  replication_factor  = var.replication_factor
  min_insync_replicas = max(var.replication_factor - 1, 1)
}

apply {
  throttle = var.env == "prod" ? "50MB/s" : "none"
}

# One copy is what is wanted in dev.
builtin_policies {
  few_replicas = var.env != "dev"
}
