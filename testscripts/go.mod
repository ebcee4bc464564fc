module github.com/slipstream-mcp/slipstream/testscripts

go 1.26.0

require (
	github.com/rogpeppe/go-internal v1.16.0
	github.com/slipstream-mcp/slipstream/budget v0.0.0
	github.com/slipstream-mcp/slipstream/memstore v0.0.0
	github.com/slipstream-mcp/slipstream/server v0.0.0
)

require (
	github.com/VividCortex/ewma v1.2.0 // indirect
	github.com/acarl005/stripansi v0.0.0-20180116102854-5a71ef0e047d // indirect
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/blevesearch/snowballstem v0.9.0 // indirect
	github.com/buger/jsonparser v1.1.2 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/goccy/go-yaml v1.19.2 // indirect
	github.com/gofrs/flock v0.13.2 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/invopop/jsonschema v0.14.0 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mattn/go-runewidth v0.0.30 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/pb33f/ordered-map/v2 v2.3.1 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1 // indirect
	github.com/slipstream-mcp/slipstream/mapper v0.0.0 // indirect
	github.com/slipstream-mcp/slipstream/mcpproto v0.0.0 // indirect
	github.com/slipstream-mcp/slipstream/mermaid v0.0.0 // indirect
	github.com/slipstream-mcp/slipstream/symbols v0.0.0 // indirect
	github.com/smacker/go-tree-sitter v0.0.0-20240827094217-dd81d9e9be82 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	github.com/vbauerster/cupwriter v0.0.5 // indirect
	github.com/vbauerster/mpb/v8 v8.16.2 // indirect
	go.yaml.in/yaml/v4 v4.0.0-rc.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.44.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	modernc.org/libc v1.80.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
	modernc.org/sqlite v1.62.0 // indirect
)

replace (
	github.com/slipstream-mcp/slipstream/budget => ../budget
	github.com/slipstream-mcp/slipstream/mapper => ../mapper
	github.com/slipstream-mcp/slipstream/mcpproto => ../mcpproto
	github.com/slipstream-mcp/slipstream/memstore => ../memstore
	github.com/slipstream-mcp/slipstream/mermaid => ../mermaid
	github.com/slipstream-mcp/slipstream/server => ../server
	github.com/slipstream-mcp/slipstream/symbols => ../symbols
)
