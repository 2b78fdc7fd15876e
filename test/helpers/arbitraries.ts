import fc from 'fast-check'
import type { Message, Part, PartialEvent, StreamEvent } from '../../src/plugin/events/index.ts'

const SURROGATES = { from: 0xd800, count: 0x800 }
const character = fc
  .integer({ min: 0, max: 0x10_ff_ff - SURROGATES.count })
  .map((code) => String.fromCodePoint(code < SURROGATES.from ? code : code + SURROGATES.count))

/**
 * Texts of any characters. That of fast-check, of the unit "binary", makes a table of all characters first, which takes
 * a second of each process.
 */
export function anyText(lengths: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc.array(character, lengths).map((characters) => characters.join(''))
}

const text = fc.string({ minLength: 1, maxLength: 20 })
const name = fc.stringMatching(/^[a-z]{1,8}$/)
const key = fc.stringMatching(/^[a-z]{1,5}$/)
/** JSON as a model or a plugin may write it. */
export const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(safeText(value)) as unknown)
const facts = fc.option(fc.record({ providerMetadata: fc.dictionary(key, json, { maxKeys: 2 }) }), {
  nil: {},
  freq: 3,
})

/** The one key that JSON may have and a message may not. */
function safeText(value: unknown): string {
  return JSON.stringify(value).replaceAll('__proto__', 'proto').replaceAll('-0', '0')
}

function part<T>(fields: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.tuple(fields, facts).map(([own, more]) => ({ ...own, ...more }))
}

const textPart = part(fc.record({ type: fc.constant('text' as const), text }))
const reasoningPart = part(
  fc.record({ type: fc.constant('reasoning' as const), text: fc.string({ maxLength: 20 }) }),
)
const filePart = part(
  fc.record({
    type: fc.constant('file' as const),
    mediaType: fc.constantFrom('image/png', 'text/plain'),
    data: fc.constantFrom('', 'aGVsbG8='),
  }),
)
/** Addresses. That of fast-check makes a table of all characters first, which takes a second of each process. */
const url = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.array(fc.string({ maxLength: 10 }).map(encodeURIComponent), { maxLength: 3 }),
  )
  .map(([scheme, domain, path]) => [`${scheme}://${domain}`, ...path].join('/'))
const sourcePart = part(fc.record({ type: fc.constant('source' as const), url, title: text }))
const dataPart = part(fc.record({ type: fc.constant('data' as const), name, data: json }))

function callPart(callId: string): fc.Arbitrary<Part> {
  return part(
    fc.record(
      {
        type: fc.constant('tool-call' as const),
        callId: fc.constant(callId),
        name,
        input: json,
        providerExecuted: fc.constant(true),
      },
      { requiredKeys: ['type', 'callId', 'name', 'input'] },
    ),
  )
}

/** One assistant message of any parts, its calls under ids of their own. */
export const assistantMessage: fc.Arbitrary<Message> = fc
  .array(fc.constantFrom('text', 'reasoning', 'file', 'source', 'data', 'call'), { maxLength: 8 })
  .chain((kinds) => fc.tuple(...kinds.map((kind, index) => partOf(kind, index))))
  .chain((parts) =>
    fc.record(
      {
        role: fc.constant('assistant' as const),
        parts: fc.constant(parts),
        metadata: fc.dictionary(key, json, { minKeys: 1, maxKeys: 3 }),
      },
      { requiredKeys: ['role', 'parts'] },
    ),
  )

function partOf(kind: string, index: number): fc.Arbitrary<Part> {
  switch (kind) {
    case 'text':
      return textPart
    case 'reasoning':
      return reasoningPart
    case 'file':
      return filePart
    case 'source':
      return sourcePart
    case 'data':
      return dataPart
    default:
      return callPart(`call-${index}`)
  }
}

/** A conversation in which each call has its result. */
export const conversation: fc.Arbitrary<readonly Message[]> = fc
  .array(fc.tuple(text, assistantMessage), { minLength: 1, maxLength: 3 })
  .map((turns) =>
    turns.flatMap(([question, answer], turn): Message[] => {
      const parts = answer.parts.map((own) =>
        own.type === 'tool-call' ? { ...own, callId: `${turn}-${own.callId}` } : own,
      )
      const results = parts.flatMap((own): Part[] =>
        own.type === 'tool-call' && !own.providerExecuted
          ? [{ type: 'tool-result', callId: own.callId, name: own.name, output: 'done' }]
          : [],
      )
      return [
        { role: 'user', parts: [{ type: 'text', text: question }] },
        { ...answer, parts },
        ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
      ]
    }),
  )

type Kind = 'text' | 'reasoning' | 'tool-call'

const segment = fc.record({
  kind: fc.constantFrom<Kind>('text', 'reasoning', 'tool-call'),
  deltas: fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
})

function eventsOfSegment(
  { kind, deltas }: { kind: Kind; deltas: string[] },
  id: string,
): PartialEvent[] {
  const start =
    kind === 'tool-call'
      ? { type: `${kind}-start`, id, name: 'run' }
      : { type: `${kind}-start`, id }
  const end =
    kind === 'tool-call' ? { type: `${kind}-end`, id, input: {} } : { type: `${kind}-end`, id }
  return [
    start,
    ...deltas.map((delta) => ({ type: `${kind}-delta`, id, delta })),
    end,
  ] as PartialEvent[]
}

const single: fc.Arbitrary<PartialEvent> = fc.oneof(
  filePart,
  sourcePart,
  dataPart,
  fc.record({ type: fc.constant('metadata' as const), metadata: fc.dictionary(key, json) }),
)

const ending: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc.constant<StreamEvent>({ type: 'finish', finishReason: 'stop', usage: {}, messages: [] }),
  fc.constant<StreamEvent>({ type: 'error', error: { code: 'TIMEOUT', message: 'slow' } }),
  fc.constant<StreamEvent>({ type: 'abort', reason: 'cancelled' }),
)

/** The partials of a legal stream: segments side by side, whole parts among them. */
export const partials: fc.Arbitrary<readonly PartialEvent[]> = fc
  .tuple(
    fc.array(segment, { minLength: 1, maxLength: 5 }),
    fc.array(single, { maxLength: 4 }),
    fc.infiniteStream(fc.nat()),
  )
  .map(([segments, singles, picks]) => {
    const queues = [
      ...segments.map((own, index) => eventsOfSegment(own, `s${index}`)),
      ...singles.map((event) => [event]),
    ]
    return interleave(queues, picks)
  })

/** A whole legal stream, from start to ending. */
export const legalStream: fc.Arbitrary<readonly StreamEvent[]> = fc
  .tuple(partials, ending)
  .map(([events, last]) => [{ type: 'start', requestId: 'r' }, ...events, last])

function interleave<T>(queues: readonly (readonly T[])[], picks: Iterator<number>): T[] {
  const left = queues.map((queue) => [...queue])
  const merged: T[] = []
  for (let open = left; open.length > 0; open = open.filter((queue) => queue.length > 0)) {
    const queue = open[(picks.next().value as number) % open.length]
    const next = queue?.shift()
    if (next !== undefined) merged.push(next)
  }
  return merged
}
