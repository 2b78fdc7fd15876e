import { Accumulator, type Message, type PartialEvent } from '@braidwork/plugin'

/** Metadata of a provider, with characters and an order of keys that a careless copy loses. */
export const OWN_METADATA = {
  other: { z: 1, a: ['ü', '\u2028', null, 1e21], signature: 'q83v+/==' },
} as const

const ENDING: PartialEvent = {
  type: 'metadata',
  metadata: { finishReason: 'stop', usage: { input: 12, output: 9 } },
}
const CALLS_ENDING: PartialEvent = {
  type: 'metadata',
  metadata: { finishReason: 'tool-calls', usage: { input: 7, output: 5 } },
}

/** A text or reasoning part as events, a delta for each piece. */
export function partOf(
  type: 'text' | 'reasoning',
  id: string,
  pieces: readonly string[],
): readonly PartialEvent[] {
  const deltas = pieces.map((delta): PartialEvent => ({ type: `${type}-delta`, id, delta }))
  return [{ type: `${type}-start`, id }, ...deltas, { type: `${type}-end`, id }]
}

function callOf(id: string, name: string, input: unknown): readonly PartialEvent[] {
  return [
    { type: 'tool-call-start', id, name },
    { type: 'tool-call-delta', id, delta: JSON.stringify(input) },
    { type: 'tool-call-end', id, input },
  ]
}

export const TEXT = 'Hello! Tea is hot, they say.\n\nIs it not? 茶 😀 é'

const PLAIN: readonly PartialEvent[] = [
  ...partOf('reasoning', 'r', ['One mom', 'ent.']),
  ...partOf('text', 't', ['Hel', 'lo! Tea is h', 'ot, they s', 'ay.\n\nIs it', ' not? 茶 😀 é']),
  { type: 'source', url: 'https://example.org/tea', title: 'Tea' },
  ENDING,
]

const CALLS: readonly PartialEvent[] = [
  ...partOf('text', 't', ['I lo', 'ok.']),
  ...callOf('call-1', 'braidwork_lookup', { tea_name: 'Assam' }),
  ...callOf('call-2', 'braidwork_lookup', { tea_name: 'Ceylon' }),
  CALLS_ENDING,
]

const OWNED: readonly PartialEvent[] = [
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'One moment.' },
  { type: 'reasoning-end', id: 'r', providerMetadata: OWN_METADATA },
  ...partOf('text', 't', ['Tea is hot.']),
  ENDING,
]

/**
 * The answers of the test provider, by name. `text:<words>` is an answer of that text, `split:<n>` of `TEXT`, split there,
 * and a JSON list one of a text in these pieces.
 */
export const ANSWERS: { readonly [name: string]: readonly PartialEvent[] } = {
  plain: PLAIN,
  calls: CALLS,
  owned: OWNED,
  empty: [ENDING],
  reasoning: [...partOf('reasoning', 'r', ['Only ', 'thoughts.']), ENDING],
  'two texts': [...partOf('text', 'a', ['One.']), ...partOf('text', 'b', ['Two.']), ENDING],
  mixed: [
    ...partOf('text', 'a', ['First. ']),
    ...callOf('call-1', 'braidwork_lookup', { tea_name: 'Assam' }),
    ...partOf('text', 'b', ['Then.']),
    CALLS_ENDING,
  ],
  file: [
    ...partOf('text', 't', ['See.']),
    { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    ENDING,
  ],
}

/** The events of an answer. */
export function answerNamed(name: string): readonly PartialEvent[] {
  if (name.startsWith('[')) return [...partOf('text', 't', JSON.parse(name)), ENDING]
  const [kind, detail = ''] = split(name)
  if (kind === 'text') return [...partOf('text', 't', pieces(detail, 5)), ENDING]
  if (kind === 'split') return [...partOf('text', 't', cut(TEXT, Number(detail))), ENDING]
  if (kind === 'pieces') return [...partOf('text', 't', pieces(TEXT, Number(detail))), ENDING]
  return ANSWERS[name] ?? PLAIN
}

function split(name: string): readonly string[] {
  const at = name.indexOf(':')
  return at === -1 ? [name] : [name.slice(0, at), name.slice(at + 1)]
}

function cut(text: string, at: number): readonly string[] {
  return [text.slice(0, at), text.slice(at)].filter(Boolean)
}

function pieces(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
}

/** The messages that events add up to. */
export function messagesOf(events: readonly PartialEvent[]): readonly Message[] {
  const gathered = new Accumulator()
  for (const event of events) gathered.add(event)
  return gathered.messages()
}
