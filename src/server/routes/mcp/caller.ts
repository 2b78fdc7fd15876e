import type { ToolSchema } from '@braidwork/plugin'
import type {
  CallToolRequest,
  ClientCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server'
import type { Hold } from '../../access/index.ts'
import type { Services } from '../../context.ts'
import type { Identity } from '../../identity.ts'

/** The name of the protocol in the orders of runs. */
export const PROTOCOL = 'mcp'

/** Who asks by MCP, and what answers. */
export interface McpCaller {
  readonly services: Services
  readonly identity: Identity
  /** The headers of the HTTP request. Empty for a client over standard input. */
  readonly headers: Headers
  /** Calls a function when the caller may no longer read. The returned function takes that back. */
  readonly hold?: Hold
}

/** What a tool of the protocol stands for: an agent, or one of the tools of an agent. */
export interface McpTarget {
  /** The name of the agent, which the caller may use. */
  readonly agent: string
  /** The tool, under the name that a model of the agent would use. Absent if the agent itself is the tool. */
  readonly tool?: Pick<ToolSchema, 'name' | 'output_schema'>
}

/** A call of a tool of the protocol. */
export interface McpCall {
  readonly caller: McpCaller
  readonly target: McpTarget
  readonly params: CallToolRequest['params']
  readonly context: ServerContext
  readonly capabilities: ClientCapabilities | undefined
}
