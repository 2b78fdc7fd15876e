import type {
  CallToolRequest,
  ClientCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server'
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
}

/** A call of a tool that is an agent. */
export interface AgentCall {
  readonly caller: McpCaller
  /** The name of the agent, which the caller may use. */
  readonly agent: string
  readonly params: CallToolRequest['params']
  readonly context: ServerContext
  readonly capabilities: ClientCapabilities | undefined
}
