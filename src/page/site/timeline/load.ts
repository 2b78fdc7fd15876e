import { type Client, framesOf } from '../server/index.ts'
import { childSpans, type Span, spansOf, type TimedEvent, type TreeAgent } from './spans.ts'

/** Events of pieces of an answer. There are many, and none takes time of its own. */
const PIECES = /-delta$/

/** Reads the stored events of a run, up to its end or to where it is now. @throws {ServerError} */
export async function loadSpans(
  client: Client,
  runId: string,
  signal: AbortSignal,
): Promise<readonly Span[]> {
  const path = `runs/${encodeURIComponent(runId)}`
  const [events, { agents }] = await Promise.all([
    loadEvents(client, `${path}/events`, signal),
    client.json<{ readonly agents: readonly TreeAgent[] }>(`${path}/tree`, {
      signal,
      lists: ['agents'],
    }),
  ])
  const last = events.reduce((latest, { at = 0 }) => Math.max(latest, at), 0)
  const all = [...spansOf(events), ...childSpans(agents, runId, last)]
  return all.sort((left, right) => left.from - right.from)
}

async function loadEvents(
  client: Client,
  path: string,
  signal: AbortSignal,
): Promise<readonly TimedEvent[]> {
  const { body } = await client.stream(path, { signal })
  const events: TimedEvent[] = []
  if (!body) return events
  for await (const frame of framesOf(body)) {
    const event = JSON.parse(frame) as TimedEvent
    if (!PIECES.test(event.type)) events.push(event)
  }
  return events
}
