import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { uiMessageEncoder } from '../../../src/server/wire/ui-message-stream/index.ts'
import { sseFrames } from '../../server/wire/frames.ts'
import { factsOf } from '../../server/wire/runs.ts'

/** A chunk as a client parses it. */
export interface Chunk {
  readonly type: string
  readonly [field: string]: unknown
}

/** The chunks that the server sends of a run to the page. */
export function chunksOf(events: readonly RunEvent[], facts = factsOf()): readonly Chunk[] {
  const encoder = uiMessageEncoder(facts, { sdk: 7 })
  const text = events.map((event) => encoder.encode(event)).join('')
  const frames = sseFrames(text).filter(({ data }) => data !== '[DONE]')
  return frames.map(({ data }) => JSON.parse(data) as Chunk)
}
