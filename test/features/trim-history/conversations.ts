import fc from 'fast-check'
import type { Message, Part } from '../../../src/plugin/events/index.ts'

export function text(role: Message['role'], said: string): Message {
  return { role, parts: [{ type: 'text', text: said }] }
}

export function call(callId: string, input: unknown = {}): Part {
  return { type: 'tool-call', callId, name: 'look', input }
}

export function result(callId: string, output: unknown = 'done'): Part {
  return { type: 'tool-result', callId, name: 'look', output }
}

/** Where the whole of a result is stored. */
export const STORED = { hash: 'f'.repeat(64), mediaType: 'text/plain', size: 999 }

/** A step whose result is the preview of one that is stored. */
export function storedStep(callId: string, output: unknown): Message[] {
  const [asked, { role, parts }] = step(callId, output) as [Message, Message]
  const stored = parts.map((part) => ({ ...part, references: [STORED] }) as Part)
  return [asked, { role, parts: stored }]
}

/** A step of an answer: a call and its result. */
export function step(callId: string, output: unknown = 'done'): Message[] {
  return [
    { role: 'assistant', parts: [call(callId)] },
    { role: 'tool', parts: [result(callId, output)] },
  ]
}

const said = fc.string({ minLength: 1, maxLength: 60 })
const system = fc.record({ isThere: fc.nat({ max: 9 }).map((one) => one === 0), said })

/** Messages that say themselves where they stood. */
function numbered(messages: readonly Message[]): readonly Message[] {
  return messages.map((message, at) => ({ ...message, id: String(at) }))
}

/** Calls and their results, in one `tool` message or one for each. */
const steps = fc.record({
  calls: fc.nat({ max: 3 }),
  output: fc.oneof(said, fc.jsonValue({ maxDepth: 2 })),
  isSplit: fc.boolean(),
  said,
})

const turn = fc.record({
  question: fc.option(said, { freq: 9 }),
  answer: fc.array(steps, { maxLength: 6 }),
  system,
})

/** Conversations as they are: turns of a user and of an answer in steps, every call with its result. */
export const turns: fc.Arbitrary<readonly Message[]> = fc
  .array(turn, { minLength: 1, maxLength: 8 })
  .map((all) => {
    let calls = 0
    return all.flatMap(({ question, answer, system }): Message[] => [
      ...(system.isThere ? [text('system', system.said)] : []),
      ...(question === null ? [] : [text('user', question)]),
      ...answer.flatMap((one): Message[] => {
        const ids = Array.from({ length: one.calls }, () => `call-${calls++}`)
        const results = ids.map((id) => result(id, one.output))
        return [
          {
            role: 'assistant',
            parts: [{ type: 'text', text: one.said }, ...ids.map((id) => call(id))],
          },
          ...(one.isSplit
            ? results.map((part): Message => ({ role: 'tool', parts: [part] }))
            : results.length > 0
              ? [{ role: 'tool' as const, parts: results }]
              : []),
        ]
      }),
    ])
  })
  .filter((messages) => messages.length > 0)
  .map(numbered)

const ids = fc.constantFrom('a', 'b', 'c', '__proto__')
const textPart = said.map((one): Part => ({ type: 'text', text: one }))
const resultPart = ids.map((id) => result(id))
const callPart = ids.map((id) => call(id))

/** What may stand in a message of each role, in histories that others wrote too. */
const PARTS = {
  system: textPart,
  user: fc.oneof(textPart, resultPart),
  assistant: fc.oneof(textPart, callPart, resultPart),
  tool: resultPart,
}

/** Messages in any order: results before their calls, calls that nothing answers, ids that come again. */
export const disorder: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc
      .constantFrom('system', 'user', 'assistant', 'tool')
      .chain((role) =>
        fc.record({ role: fc.constant(role), parts: fc.array(PARTS[role], { maxLength: 3 }) }),
      ),
    { minLength: 1, maxLength: 20 },
  )
  .map(numbered)

/** Whether no sign of a text was cut in two. */
export function isWhole(one: string): boolean {
  return Buffer.from(one).toString() === one
}
