module github.com/slipstream-mcp/slipstream/budget

go 1.26.0
