import type { StoredRun } from '@braidwork/agent'
import type { RunEvent } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { CutPages } from '../../cut-pages.ts'
import { McpProgressView, McpToolProgressView } from '../../wire/mcp/index.ts'
import { AnswerOf } from './answer-of.ts'
import { ask } from './ask.ts'
import type { McpCall } from './caller.ts'

/**
 * Reads a run to its end, or until a person has to be asked. A call that is cancelled stops its run.
 * @throws {HostError} UNAUTHORIZED if the caller's token ends meanwhile
 */
export async function follow(
  call: McpCall,
  begun: StoredRun,
): Promise<CallToolResult | InputRequiredResult> {
  const { services, identity } = call.caller
  for (let run = begun; ; ) {
    const answer = await readLeg(call, run)
    const present = await services.runs.find(identity, run.id)
    if (present.status !== 'suspended') return { ...(await answer.result(run)) }
    const { asked, run: next } = await ask(call, present)
    if (asked) return whileAsked(call, next, asked)
    run = next
  }
}

async function readLeg(call: McpCall, run: StoredRun): Promise<AnswerOf> {
  const { services, identity, hold } = call.caller
  const { runs, log } = services
  const { signal } = call.context.mcpReq
  const answer = new AnswerOf(call)
  const tell = progressOf(call)
  let told: Promise<void> | undefined
  const stop = () => {
    runs.stop(identity, run.id, 'the client cancelled the call').catch((error: unknown) => {
      log({ level: 'error', message: messageOf(error), runId: run.id })
    })
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const pages = new CutPages(runs.read(run))
  const release = hold?.((why) => pages.cut(why))
  try {
    for (let page = await pages.next(); !page.done; page = await pages.next()) {
      for (const event of page.value) {
        answer.add(runs.shownErrors.markIn(event))
        told = tell(event) ?? told
      }
    }
    // No progress may follow the result.
    await told
    return answer
  } finally {
    release?.()
    signal.removeEventListener('abort', stop)
  }
}

/** Tells the client how far the run is, if it wants to know. */
function progressOf({
  target,
  context: { mcpReq },
}: McpCall): (event: RunEvent) => Promise<void> | undefined {
  const { progressToken } = mcpReq._meta ?? {}
  if (progressToken === undefined) return () => undefined
  const view = target.tool ? new McpToolProgressView() : new McpProgressView()
  return (event) => {
    const progress = view.add(event)
    if (!progress) return undefined
    const params = { progressToken, ...progress }
    // A client that has left is told nothing more.
    return mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}

/**
 * Hands out what a person is asked. In revisions with sessions the call goes on while the person is asked, and a client
 * that cancels it meanwhile ends the run.
 */
function whileAsked(
  { caller: { services, identity }, context: { mcpReq } }: McpCall,
  run: StoredRun,
  asked: InputRequiredResult,
): InputRequiredResult {
  if (mcpReq.envelope !== undefined) return asked
  const stop = () => {
    services.runs.stop(identity, run.id).catch((error: unknown) => {
      services.log({ level: 'error', message: messageOf(error), runId: run.id })
    })
  }
  mcpReq.signal.addEventListener('abort', stop, { once: true })
  return asked
}
