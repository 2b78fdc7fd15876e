import { VERSION } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { dataOf } from '../../dialect.ts'
import { tell } from '../../tell.ts'
import { publicError } from '../../wire/index.ts'
import { errorResult } from '../../wire/mcp/index.ts'
import { callTool } from './call-tool.ts'
import type { McpCaller } from './caller.ts'
import { listTools, targetOf } from './tools.ts'

/** The server below the SDK's own registry of tools, whose schemas are no JSON Schemas. */
type LowServer = McpServer['server']

const OPTIONS = {
  capabilities: { tools: {} },
  /** How often, and for how many milliseconds, a person may be asked within one call, in revisions with sessions. */
  inputRequired: { maxRounds: 100, roundTimeoutMs: 24 * 60 * 60_000 },
}

/** What a request of revision 2026-07-28 says about its client. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
}

/** What a server of the protocol needs to know about its requests. */
export interface Asking {
  callerOf(context: ServerContext): McpCaller
  /** Takes note of a call in progress. The returned function is called when it ends. */
  beginCall(context: ServerContext): () => void
}

/** Makes a server of the protocol, for one connection or one request. Its tools are the published agents, and tools of one. */
export function protocolServer(asking: Asking): LowServer {
  const info = { name: 'braidwork', title: 'Braidwork', version: VERSION }
  const { server } = new McpServer(info, OPTIONS)
  server.setRequestHandler('tools/list', async (_, context) => {
    const caller = asking.callerOf(context)
    try {
      return { tools: [...(await listTools(caller))] }
    } catch (error) {
      throw protocolErrorOf(error, caller)
    }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const end = asking.beginCall(context)
    try {
      return await call(server, asking.callerOf(context), params, context)
    } finally {
      end()
    }
  })
  return server
}

/** What a client said at the beginning of its session. Earlier revisions say it nowhere else. */
function capabilitiesOfSession(server: LowServer): ClientCapabilities | undefined {
  // oxlint-disable-next-line typescript/no-deprecated
  return server.getClientCapabilities()
}

/** Calls a tool. Its failures are results, which the model that called can read. */
async function call(
  server: LowServer,
  caller: McpCaller,
  params: CallToolRequest['params'],
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const target = await targetOf(caller, params.name)
    if (!target) {
      const name = params.name.slice(0, 100)
      const message = `There is no tool "${name}". The list of tools has the names.`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }
    if (typeof target === 'string') return { ...errorResult(absence(params.name, target), {}) }
    const envelope: Envelope | undefined = context.mcpReq.envelope
    const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? capabilitiesOfSession(server)
    return await callTool({ caller, target, params, context, capabilities })
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const { code, message } = shownError(error, caller)
    return { ...errorResult(message, { code }) }
  }
}

/** Why a tool is not there. A reason that is about its server is a sentence of its own. */
function absence(name: string, reason: string): string {
  const sentence = asSentence(reason)
  return /^[A-Z]/.test(sentence) ? sentence : `The tool "${name}" is not available: ${sentence}`
}

function protocolErrorOf(error: unknown, caller: McpCaller): ProtocolError {
  const { code, message } = shownError(error, caller)
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { code })
}

/** What the client may read of an error. The log has the rest. */
function shownError(error: unknown, { services: { log } }: McpCaller) {
  tell(log, error)
  return publicError(dataOf(error))
}
