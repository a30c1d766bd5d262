package config

var tlsBlock = &block{
	name: "tls", once: true,
	doc: "Encrypted connections. An empty block trusts the authorities that this machine trusts. Paths are relative to the configuration's directory; the files are read when ballast connects.",
	attrs: []attribute{
		{name: "ca_file", kind: kindPath, private: true, def: "what this machine trusts", doc: "The certificates, in PEM, of the authorities to trust, and of no others.", example: `"ca.pem"`},
		{name: "cert_file", kind: kindPath, private: true, def: "none", doc: "Our own certificate, in PEM, where brokers ask for one. It needs key_file.", example: `"me.pem"`},
		{name: "key_file", kind: kindPath, private: true, def: "none", doc: "The key of our own certificate, in PEM, without a passphrase. It needs cert_file.", example: `"me.key"`},
	},
}

var saslBlock = &block{
	name: "sasl", once: true,
	doc: "Authenticated connections. Nothing shows the password or the token: no plan, journal, message or digest has them.",
	attrs: []attribute{
		{name: "mechanism", kind: kindMechanism, required: true, doc: "SCRAM proves the password without sending it; PLAIN, OAUTHBEARER and AWS_MSK_IAM send what they have, so use them with tls.", def: "none", example: `"SCRAM-SHA-512"`},
		{name: "username", kind: kindFilled, private: true, def: "none", doc: "Of PLAIN and SCRAM.", example: `env("KAFKA_USER", "me")`},
		{name: "password", kind: kindFilled, secret: true, def: "none", doc: "Of PLAIN and SCRAM. Take it from the environment or a sensitive variable: a file is read by many.", example: `env("KAFKA_PASSWORD", "test")`},
		{name: "token", kind: kindFilled, secret: true, def: "none", doc: "Of OAUTHBEARER. Give this or token_file.", example: `env("KAFKA_TOKEN", "test")`},
		{name: "token_file", kind: kindPath, private: true, def: "none", doc: "Of OAUTHBEARER: a file with the token, read anew for each connection, so that it may be replaced during a long run.", example: `"/run/secrets/kafka-token"`},
		{name: "region", kind: kindFilled, def: "that of the addresses, or AWS_REGION", doc: "Of AWS_MSK_IAM, which takes its credentials as other programs for AWS do: from the environment, the shared files, or the role that it runs under.", example: `"eu-west-1"`},
	},
}
