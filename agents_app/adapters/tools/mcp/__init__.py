"""MCP servers as providers of tools (docs/mcp.md). The SDK is imported when a server is asked."""
