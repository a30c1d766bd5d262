# What every plan has to meet. An error refuses apply, a warning does not.

policy "three copies" {
  condition     = topic.replication_factor >= 3 || startswith(topic.name, "tmp-")
  error_message = "${topic.name} would have ${topic.replication_factor} replicas; three are needed outside tmp-*."
}

policy "one broker may be away" {
  condition     = topic.min_insync_replicas < topic.replication_factor || topic.replication_factor == 1
  error_message = "${topic.name} could not be written to while a broker is away."
}

policy "a copy in each rack" {
  topics        = "orders-*"
  condition     = length(topic.replicas_per_rack) == 3
  error_message = "${topic.name} is only in ${join(", ", keys(topic.replicas_per_rack))}."
}

policy "temporary topics are small" {
  topics        = "tmp-*"
  condition     = topic.partitions <= 3 && tonumber(lookup(topic.config, "retention.ms", "-1")) <= 24 * 3600 * 1000
  error_message = "${topic.name} has ${topic.partitions} partitions; a temporary topic has at most 3, kept for a day."
}

policy "orders grow at night" {
  topics        = "orders-*"
  condition     = change.partitions_added == 0
  error_message = "${topic.name} gets ${change.partitions_added} more partitions: carry this out at night."
  severity      = "warning"
}

policy "small plans" {
  condition     = plan.bytes_to_copy <= 500 * 1000 * 1000 * 1000 && plan.topics_delete <= 5
  error_message = "${plan.bytes_to_copy} bytes to copy, ${plan.topics_delete} topics to delete: plan a part with -target."
}

# Of those that come with ballast, this one says less than "three copies".
builtin_policies {
  few_replicas = false
}
