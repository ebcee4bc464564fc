package redact

// chats are tokens of chat services.
var chats = []rule{
	{"slack bot and user", "xoxb-|xoxp-|xoxe-|xoxo-|xoxs-|xoxa-|xoxr-|xoxc-|xoxd-",
		`xox(?:b-\d{8,14}-[\w-]{12,}|[pe](?:-\d{10,13}){3}-[a-zA-Z0-9-]{28,}|e-\d-[A-Za-z0-9]{146}|[os]-\d+-\d+-\d+-[a-fA-F\d]+|[ar]-(?:\d-)?[0-9a-zA-Z]{8,48}|[cd]-[\w%-]{20,})`, 2.2, glued, "xoxb-{d11}-{d12}-{a24}", "xoxb-12345-abcd234", hasDigit, nil},
	{"slack bot, bare", "xoxb-", `xoxb-\d{10,13}-\d{10,13}[a-zA-Z0-9-]*`, 2.5, glued, "xoxb-{d12}-{d12}", "xoxb-xxx", nil, nil},
	{"slack app", "xapp-", `(?i)xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+`, 2, glued, "xapp-1-{U11}-{d13}-{x64}", "xapp-1", nil, nil},
	{"slack configuration", "xoxe.xox", `(?i)xoxe.xox[bp]-\d-[A-Z0-9]{160,}`, 2, glued, "xoxe.xoxp-1-{a163}", "xoxe.xoxp-1-initial", nil, nil},
	{"slack webhook", "hooks.slack.com/", `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{30,})`, 0, glued, "https://hooks.slack.com/services/T{U8}/B{U8}/{a24}", "hooks.slack.com/services", nil, nil},
	{"discord webhook", "/api/webhooks/", `/api/webhooks/\d{17,20}/([\w-]{60,})`, 0, glued, "https://discord.com/api/webhooks/{d18}/{a68}", "/api/webhooks/", nil, nil},
	{"telegram bot", ":a", `:A[\w-]{34}(?:[^\w-]|$)`, 3, glued, "bot{d9}:AA{a33}", "b:A long time", nil, withBotID},
	{"zapier webhook", "hooks.zapier.com/hooks/catch/", `hooks\.zapier\.com/hooks/catch/(\d+/\w+)`, 0, glued, "https://hooks.zapier.com/hooks/catch/{d7}/{y7}", "hooks.zapier.com/hooks/catch/all", nil, nil},
}
