/** The section about Claude Code, which is run by hand: its model API is Anthropic's alone. */
export const CLAUDE_CODE = `
## Claude Code
Claude Code 2.1.197 was run by hand against a server in front of Anthropic's API.

\`\`\`sh
export ANTHROPIC_BASE_URL=http://127.0.0.1:8787  # without /v1
export ANTHROPIC_API_KEY=…                       # a token of the server
export ANTHROPIC_MODEL=claude-sonnet-5-5         # a published model
export ANTHROPIC_DEFAULT_HAIKU_MODEL=claude-haiku-4-5
export ANTHROPIC_CUSTOM_HEADERS='x-braidwork-host-tools: none'
claude
\`\`\`

- **Models.** Claude Code asks for a model by its id. Without \`ANTHROPIC_MODEL\`, it asks for the newest Opus, and for small
  tasks and \`--model haiku\` for \`claude-haiku-4-5-20251001\`. Publish models of these names, or name published ones with
  \`ANTHROPIC_MODEL\`, \`ANTHROPIC_DEFAULT_OPUS_MODEL\`, \`ANTHROPIC_DEFAULT_SONNET_MODEL\` and \`ANTHROPIC_DEFAULT_HAIKU_MODEL\`.
  It says at once which model it does not find.
- **Tools.** With \`x-braidwork-host-tools: none\`, the model has the tools of Claude Code alone, and not those of the server.
- **Tool search.** The model has all tools from the start, also those with \`defer_loading\`, which saves no tokens here. The
  \`tool_reference\` blocks that Claude Code's own search returns are texts for the model, and the turn goes on.
- **Large requests.** A request that the model API refuses as too large (413) has Anthropic's \`request_too_large\`, by which
  Claude Code asks for smaller files.
- **Prompt cache.** The marks of Claude Code reach Anthropic's API, so \`settings.anthropic.prompt_cache\` is not needed. Its
  reminders in the middle of a conversation [keep their place](wire-anthropic-messages.md#request-fields).
- **Full context.** The error of a request that is too long has Anthropic's words, and Claude Code then compacts its
  conversation.
- **WebSearch.** This tool needs a search that Anthropic's API runs, which a client cannot ask a server for. The model reads
  that the search failed. Add a tool for searches to Claude Code, for example of an MCP server.
- **Effort and thinking** reach the model; \`max_tokens\` includes thinking.
`.trim()
