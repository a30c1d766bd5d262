# What this configuration declares, `ballast plan` compares with the cluster,
# and `ballast apply` carries out. Topics that are not declared are left alone.

cluster "main" {
  bootstrap = ["localhost:9092"] # every address is tried

  # cluster_id = "..." # refuse any other cluster; `ballast init -bootstrap` writes it
}

# For every topic below that does not say otherwise.
defaults {
  replication_factor  = 3
  min_insync_replicas = 2
}

# topic "orders" {
#   partitions = 12
#   keyed      = true # growing it later remaps keys: the plan will say so loudly
#
#   config = {
#     "retention.ms" = 7 * 24 * 3600 * 1000
#   }
#
#   leaders {
#     balance = "topic" # preferred leaders as even as the replicas allow
#   }
# }

# broker "6" {
#   drain = true # nothing may stay on it
# }

# How apply goes about it. These are the defaults.
apply {
  throttle             = "50MB/s" # per broker
  max_moves_per_broker = 5
}
