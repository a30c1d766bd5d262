# What differs between the environments: each has a file with its values.
variable "env" {
  type        = string
  description = "Which environment this is"

  validation {
    condition     = contains(["dev", "staging", "prod"], var.env)
    error_message = "env is dev, staging or prod, not ${var.env}."
  }
}

variable "bootstrap" {
  type = list(string)
}

variable "replication_factor" {
  default = 3
}

variable "scale" {
  default     = 1
  description = "How many times as many partitions as in dev"
}
