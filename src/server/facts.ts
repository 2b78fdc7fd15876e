import {
  FACT_FORMATS,
  type Fact,
  type FactFormat,
  type ToolRecord,
} from '@braidwork/agent/internal'
import { type ContextResolvedEvent, HostError, type RunEvent } from '@braidwork/plugin'
import type { Identity } from './identity.ts'
import { eventWithSafeAddresses, publicError } from './wire/index.ts'

/** The least number of characters that are sent at once, unless there are no more. */
const PIECE = 1 << 16

/** @throws {HostError} REQUEST_INVALID */
export function factFormatOf(given: string | undefined): FactFormat {
  const format = FACT_FORMATS.find((known) => known === (given ?? 'agentruntime'))
  if (format) return format
  const message = `"format" must be ${FACT_FORMATS.join(' or ')}.`
  throw new HostError('REQUEST_INVALID', message, { pointer: '/format' })
}

/** An event as its owner may see it: only admins may know which models are behind an agent. */
export function factualOf(event: RunEvent, { role }: Identity): RunEvent | undefined {
  if (event.type === 'model-chosen' || event.type === 'model-failed') {
    return role === 'admin' ? event : undefined
  }
  if (event.type === 'context-resolved') return contextFor(event, role)
  if (event.type !== 'error') return eventWithSafeAddresses(event)
  const { code, message } = publicError(event.error)
  return { ...event, error: { code, message } as typeof event.error }
}

/** Only admins may know the paths and addresses that plugins take context from, and which plugins do. LR-06 */
export function contextFor(event: ContextResolvedEvent & RunEvent, role?: string): RunEvent {
  if (role === 'admin') return event
  const items = event.items.map(({ kind, status }) => ({
    kind,
    ref: kind,
    ...(status ? { status } : {}),
  }))
  return { ...event, items }
}

/** Responds with facts, one line of JSON each, as fast as the client reads. */
export function respondFacts(facts: AsyncIterable<Fact | ToolRecord>): Response {
  const encoder = new TextEncoder()
  const pieces = piecesOf(facts)
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await pieces.return(undefined)),
  })
  const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
  return new Response(body, { headers })
}

async function* piecesOf(facts: AsyncIterable<Fact | ToolRecord>): AsyncGenerator<string, void> {
  let piece = ''
  for await (const fact of facts) {
    piece += `${JSON.stringify(fact)}\n`
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
