import type { ActionContext, ToolCall, ToolOutput, ToolResult } from '@braidwork/plugin'
import type { Client } from '@modelcontextprotocol/client'
import { isClosed, messageOf } from '../connection/connection.ts'
import { httpFault, isBroken } from '../connection/http-fault.ts'
import { isCut, isLost } from '../connection/lost-answers.ts'
import type { ServerTool } from '../offer/offered.ts'
import { serversOffer } from '../offer/servers-offer.ts'
import { Problem, TooLarge } from '../problem.ts'
import { throughRounds } from '../requests/input-rounds.ts'
import type { Elicitation, SamplingRequest } from '../requests/server-questions.ts'
import type { Pool } from '../sessions/pool.ts'
import type { Session, Use } from '../sessions/session.ts'
import type { McpState } from '../settings.ts'
import { ParkedCalls } from './parked-calls.ts'
import { type Following, RunningCall } from './running-call.ts'

/** The defaults of `limits.execute_tool` and `limits.approval`, in seconds. */
const USUAL_LIMITS = { execute_tool: 120, approval: 86_400 }
/** Milliseconds after the host's own limit at which the server is told that nobody waits any more. */
const AFTER_LIMIT_MS = 500

export interface Execution {
  readonly call: ToolCall
  readonly state: McpState
  readonly context: ActionContext
}

const parked = new ParkedCalls()

/** Cancels the calls that wait for a person. */
export function endParkedCalls(): void {
  parked.close()
}

/** Runs a call of a server's tool, or goes on with one that asked a person. */
export async function executeTool(pool: Pool, execution: Execution): Promise<ToolResult> {
  const { call, context } = execution
  const key = JSON.stringify([ownerOf(context), call.callId])
  const waiting = parked.take(key)
  if (call.answer) {
    if (!waiting) return lost()
    waiting.goOn(call.askModel)
    waiting.answer(call.answer)
    return follow(waiting, { key, context })
  }
  waiting?.cancel(new Error('the call began again'))
  return follow(await begun(pool, execution), { key, context })
}

async function begun(pool: Pool, execution: Execution): Promise<RunningCall> {
  const { call, state, context } = execution
  const tool = (await serversOffer(pool, state, context)).tools.get(call.name)
  const server = state.servers.find(({ name }) => name === tool?.server)
  if (!tool || !server) throw new Error(`No MCP server offers the tool "${call.name}".`)
  const session = pool.sessionOf(server, state)
  session.use(context.log)
  const { askModel } = call
  const asking = { server: server.name, settings: server.sampling, askModel }
  const limits = { seconds: state.call }
  const facts = { owner: ownerOf(context), canAsk: call.canAsk === true, ...limits, ...asking }
  return new RunningCall((running) => work(session, { running, tool, call, state }), facts)
}

interface Working {
  readonly running: RunningCall
  readonly tool: ServerTool
  readonly call: ToolCall
  readonly state: McpState
}

async function work(session: Session, { running, tool, call, state }: Working): Promise<unknown> {
  const use = await begin(session, tool)
  const { roots } = state
  const definition = {
    name: tool.name,
    inputSchema: tool.listed['inputSchema'] ?? { type: 'object' },
  }
  const { signal, onProgress } = running
  const send = (client: Client) => (round: object) =>
    session.callTool(
      client,
      { name: tool.name, arguments: call.input as { [key: string]: unknown }, ...round },
      { signal, call: running, onProgress, definition },
    )
  try {
    const asking = {
      ask: (asked: Elicitation) => running.ask(asked),
      sample: (request: SamplingRequest) => running.sample(request),
      roots,
    }
    return await session.renewing(use, (client) => throughRounds(send(client), asking))
  } catch (error) {
    signal.throwIfAborted()
    return failed(use.fault() ?? error, tool)
  } finally {
    use.done()
  }
}

async function begin(session: Session, { server }: ServerTool): Promise<Use> {
  try {
    return await session.begin()
  } catch (error) {
    const message = `The MCP server "${server}" is not available: ${messageOf(error)}`
    throw Object.assign(new Error(message), { code: 'ECONNREFUSED' })
  }
}

/** An error that the server answered with is a result; one of the connection is thrown. */
function failed(error: unknown, { server }: ServerTool): unknown {
  const { code } = error as { readonly code?: unknown }
  if (error instanceof TooLarge || isCut(error)) throw tooLarge(error, server)
  const isGone = isLost(error) || isBroken(error) || isClosed(error)
  const fault = isGone ? undefined : httpFault(error, server)
  if (fault && 'code' in fault) throw fault
  if (fault) return { content: [{ type: 'text', text: fault.message }], isError: true }
  if (!isGone && (typeof code === 'number' || error instanceof Problem))
    return { content: [{ type: 'text', text: messageOf(error) }], isError: true }
  const what = isGone ? 'ended while the call ran, which may have had effects' : messageOf(error)
  const message = `The MCP server "${server}" ${isGone ? '' : 'failed: '}${what}`
  // Nothing was written to a process that had ended before.
  const unsent = code === 'EPIPE' ? { code } : {}
  throw Object.assign(
    new Error(message),
    isGone ? { code: 'ECONNRESET', retryable: false } : unsent,
  )
}

function tooLarge(error: Error, server: string): Error {
  const text = `The call of the MCP server "${server}" has no result: ${messageOf(error)}. It may have had effects.`
  return Object.assign(new Error(text), { code: 'RESULT_TOO_LARGE' })
}

interface Followed {
  readonly key: string
  readonly context: ActionContext
}

async function follow(running: RunningCall, followed: Followed): Promise<ToolResult> {
  const { limits } = followed.context.config
  const seconds = limits?.execute_tool ?? USUAL_LIMITS.execute_tool
  const following = {
    signal: followed.context.signal,
    limitMs: seconds * 1_000 + AFTER_LIMIT_MS,
  }
  const first = await running.next(following)
  if (first.kind === 'end') return first.output
  if (first.kind === 'question') return asked(running, followed, first.question)
  return reports(running, { ...followed, following, first: first.progress })
}

async function* reports(
  running: RunningCall,
  {
    following,
    first,
    ...followed
  }: Followed & { readonly following: Following; readonly first: unknown },
): AsyncGenerator {
  let isOver = false
  try {
    yield first
    for (;;) {
      const step = await running.next(following)
      if (step.kind === 'progress') yield step.progress
      else {
        isOver = true
        return yield step.kind === 'end' ? step.output : asked(running, followed, step.question)
      }
    }
  } finally {
    // Whoever followed the call has left it.
    if (!isOver) running.cancel(new Error('nobody waits for the result any more'))
  }
}

/** The answer to a call whose server waits for a person. */
function asked(running: RunningCall, { key, context }: Followed, question: ToolOutput['question']) {
  const seconds = context.config.limits?.approval ?? USUAL_LIMITS.approval
  parked.keep(key, running, Math.min(seconds * 1_000, 2 ** 31 - 1))
  return { output: 'The server waits for an answer of the user.', isError: true, question }
}

function lost(): ToolOutput {
  const output =
    'The answer came too late: the call ended when the process that ran it did. It may have had effects.'
  return { output, isError: true }
}

function ownerOf({ runId, conversationId }: ActionContext): string {
  return JSON.stringify([runId ?? null, conversationId ?? null])
}
