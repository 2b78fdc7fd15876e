import { expect } from 'chai'
import fc from 'fast-check'
import { tokensOf } from '../../../providers/scripted/tokens.ts'
import type { Config } from '../../../src/plugin/config.ts'
import {
  checkPairs,
  findJsonFault,
  type Message,
  toMessages,
  usageFaults,
} from '../../../src/plugin/events/index.ts'
import { conversation, json } from '../../helpers/arbitraries.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { extension } from '../../helpers/plugins.ts'
import { ask, configOf, PLUGINS, rules } from './ask.ts'

const words = fc.constantFrom(
  'what is 2 + 2',
  'the time',
  'name: Ada',
  'My name is Ada.',
  'Hello',
  '"quoted"',
  'in Paris',
  'I said',
  '?',
  '{{user}}',
  '-',
  '%',
)
const phrase = fc
  .array(fc.oneof(words, fc.string({ maxLength: 12 })), { maxLength: 6 })
  .map((parts) => parts.join(' '))
const messages: fc.Arbitrary<readonly Message[]> = fc
  .tuple(conversation, phrase)
  .map(([told, text]) => [...told, { role: 'user', parts: [{ type: 'text', text }] }])

const then = fc.record(
  {
    reasoning: phrase,
    text: phrase,
    tool_calls: fc.array(fc.record({ name: fc.constantFrom('look', 'note'), input: json }), {
      maxLength: 3,
    }),
    data: fc.array(fc.record({ name: fc.constant('d'), data: json }), { maxLength: 2 }),
    chunks: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const config: fc.Arbitrary<Config> = fc
  .record({
    script: fc.option(then, { nil: undefined }),
    more: fc.record(
      {
        model: fc.constantFrom('scripted-1', 'scripted-mini'),
        max_output_tokens: fc.integer({ min: 0, max: 12 }),
        stop: fc.constantFrom('is', 'a', [' ', 'e']),
        tool_choice: fc.constantFrom('auto', 'none', 'required'),
        parallel_tool_calls: fc.boolean(),
        reasoning_effort: fc.constantFrom('none', 'high'),
        response_format: fc.constantFrom({ type: 'text' }, { type: 'json' }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ script, more }) =>
    configOf(script ? { script: rules([undefined, script]) } : {}, more as Config),
  )

describe('scripted provider, whatever it is given', () => {
  it('answers, the same in send, in stream and in its events, with usage that holds', async () => {
    await fc.assert(
      fc.asyncProperty(messages, config, async (told, wanted) => {
        const { message } = await ask(told, wanted)
        expect(findJsonFault(message)).to.equal(undefined)
        expect(usageFaults(message.metadata?.usage ?? {})).to.deep.equal([])
        const results = message.parts.flatMap((part) =>
          part.type === 'tool-call'
            ? [{ type: 'tool-result' as const, callId: part.callId, name: part.name, output: 1 }]
            : [],
        )
        const next: Message[] = results.length > 0 ? [{ role: 'tool', parts: results }] : []
        // Its answer is a message that it takes back.
        if (wanted.model !== 'scripted-mini') checkPairs(toMessages([...told, message, ...next]))
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it('answers the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (told) => {
        const [first, second] = [await ask(told), await ask(told)]
        expect(first.message).to.deep.equal(second.message)
        expect(first.events).to.deep.equal(second.events)
      }),
      { numRuns: propertyRuns(50) },
    )
  })

  it('changes nothing of what it is given', async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (told) => {
        const before = JSON.stringify(told)
        await ask(deepFreeze(told))
        expect(JSON.stringify(told)).to.equal(before)
      }),
      { numRuns: propertyRuns(50) },
    )
  })
})

describe('what the scripted provider hands on', () => {
  it('is JSON, and never changed in place', async () => {
    const seen: unknown[] = []
    const see = <T>(value: T): T => {
      seen.push(value)
      return deepFreeze(value)
    }
    const watcher = extension('watcher', {
      init: (_config: Config, state: object) => see(state),
      toNative: (_messages: unknown, native: unknown) => see(native),
      processChunk: (chunk: unknown, ...[partials, finals, native, state]: unknown[]) => {
        for (const value of [chunk, native, state]) see(value)
        seen.push(...(partials as unknown[]), ...(finals as unknown[]))
        return [partials, finals, native, state]
      },
    })
    await fc.assert(
      fc.asyncProperty(messages, config, async (told, wanted) => {
        await ask(told, wanted, { plugins: [...PLUGINS, watcher] })
        for (const value of seen.splice(0)) {
          expect(value).to.deep.equal(JSON.parse(JSON.stringify(value)))
        }
      }),
      { numRuns: propertyRuns(100) },
    )
  })
})

describe('tokensOf', () => {
  it('splits a text into pieces that add up to it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(tokensOf(text).join('')).to.equal(text)
      }),
    )
  })

  it('keeps words whole, and the space before them', () => {
    expect(tokensOf(' one  two\n')).to.deep.equal([' one', '  two', '\n'])
    expect(tokensOf('a'.repeat(20))).to.deep.equal(['a'.repeat(16), 'aaaa'])
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}
