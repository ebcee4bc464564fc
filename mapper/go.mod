module github.com/slipstream-mcp/slipstream/mapper

go 1.26.0

require github.com/blevesearch/snowballstem v0.9.0
