"""Tools that reach outside: the web, files in a workspace, a database, MCP servers."""
