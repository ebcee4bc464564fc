module github.com/slipstream-mcp/slipstream/mermaid

go 1.26.0
