package config

var variableBlock = &block{
	name: "variable", label: "the variable's name; expressions call it var.NAME",
	doc: "An input of the configuration. Its value comes from -var, else from the last -var-file that has it, else from BALLAST_VAR_NAME in the environment, else from default.",
	attrs: []attribute{
		{name: "type", kind: kindExpression("type"), def: "that of default", doc: "string, number, bool, list(…), set(…), map(…), object({…}) or any.", example: "map(number)"},
		{name: "default", kind: kindExpression("any"), def: "none: a value has to be given", doc: "The value where none is given.", example: `"prod"`},
		{name: "description", kind: kindString, def: "none", doc: "What it is for.", example: `"Which environment this is"`},
		{name: "sensitive", kind: kindBool, def: "false", doc: "Nothing may show the value. It can be used for passwords, not for what is in a plan.", example: "true"},
	},
	blocks: []*block{validationBlock},
}

var validationBlock = &block{
	name: "validation", many: true,
	doc: "A condition on the variable's value. There may be several.",
	attrs: []attribute{
		{name: "condition", kind: kindExpression("bool"), required: true, def: "needed", doc: "What must be true.", example: `contains(["dev", "prod"], var.env)`},
		{name: "error_message", kind: kindExpression("string"), required: true, def: "needed", doc: "What to say where it is not.", example: `"env is dev or prod"`},
	},
}

var localsBlock = &block{
	name: "locals", free: true,
	doc: "Named expressions. Each attribute is one; expressions call it local.NAME. There may be several blocks.",
}
