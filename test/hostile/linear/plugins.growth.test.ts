import citations from '../../../extensions/citations/index.ts'
import guard from '../../../extensions/guard/index.ts'
import redact from '../../../extensions/redact/index.ts'
import smoothStream from '../../../extensions/smooth-stream/index.ts'
import thinkTags from '../../../extensions/think-tags/index.ts'
import { withInstructions } from '../../../features/instructions/edit-messages.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import clock from '../../../tools/clock/index.ts'
import { expectLinear, type Work } from '../../helpers/doubling.ts'
import { HISTORIES, times } from './histories.ts'

type Events = readonly object[]

const PLUGINS = [citations, guard, redact, smoothStream, thinkTags]
/** Of what could go on for long, and begins with what the texts are made of. */
const SETTINGS = {
  guard: {
    rules: [
      { name: 'words', on: 'answer', words: [`${'ab '.repeat(30)}z`, 'x'.repeat(90)] },
      { name: 'pattern', on: 'answer', pattern: '(?s)<.*>z' },
    ],
  },
  redact: { patterns: [{ label: 'OWN', pattern: 'a+b' }] },
  // The host takes it out of all that is said.
  pieces: { api_key: `${'x'.repeat(40)}1` },
}
const SIGNS = ['x', 'ab ', '<', '`', '😀']

/** One part of a text in pieces of three characters. */
function inPieces(sign: string, size: number): Events {
  const text = sign.repeat(size)
  const deltas = times(Math.ceil(text.length / 3), (at) => text.slice(3 * at, 3 * at + 3))
  const id = 't'
  return [
    { type: 'text-start', id },
    ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
  ]
}

/** A text that cites so many sources, each its own. */
function cited(size: number): Events {
  const source = { type: 'source', citedText: 'said' }
  return [...inPieces('a', 3), ...times(size, (at) => ({ ...source, url: `https://a.b/${at}` }))]
}

/** So many texts, each of which cites the same sources. */
function citing(size: number): Events {
  const source = { type: 'source', citedText: 'said' }
  return times(size, (at) => [
    { type: 'text-start', id: `t${at}` },
    { type: 'text-delta', id: `t${at}`, delta: 'a' },
    { type: 'text-end', id: `t${at}` },
    { ...source, url: `https://a.b/${at % 10}` },
    { ...source, url: 'https://a.b/0' },
  ]).flat()
}

describe('a plugin takes time that grows as what it is given does', function () {
  this.timeout(300_000)
  let host: Host
  let events: Events = []
  const provider = {
    kind: 'provider',
    name: 'pieces',
    getModels: () => ['m'],
    getTags: () => ['text'],
    configSchema: {
      type: 'object',
      properties: { api_key: { type: 'string', writeOnly: true } },
    },
    async *stream() {
      for (let at = 0; at < events.length; at += 50) yield events.slice(at, at + 50)
    },
  } as const
  before(async () => {
    const limits = { answer_parts: 1_000_000 }
    const config = { provider: 'pieces', limits, settings: SETTINGS }
    host = await createHost({ plugins: [provider, ...PLUGINS], config })
  })
  after(() => host.close())

  function asking(plugin: string, own: Events): Work {
    return async () => {
      events = own
      // An address: there is a placeholder to look for.
      const result = host.stream({ enabled_plugins: [plugin] }, 'Write to ada@example.com').result
      const { error } = await result
      if (error) throw error
    }
  }

  for (const { name } of PLUGINS) {
    for (const sign of SIGNS) {
      it(`${name}: an answer of "${sign}" in pieces of three`, async () => {
        const make = (size: number) => asking(name, inPieces(sign, size))
        await expectLinear({ name, sizes: [5000, 10_000, 20_000], make })
      })
    }
  }

  for (const [name, eventsOf, least] of [
    ['the sources of a text', cited, 1500],
    ['texts with sources', citing, 500],
  ] as const) {
    it(`citations: ${name}`, async () => {
      const make = (size: number) => asking('citations', eventsOf(size))
      await expectLinear({ name, sizes: [least, 2 * least, 4 * least], make })
    })
  }

  it('instructions: a history, and what it is told', async () => {
    const make = (size: number): Work => {
      const messages = HISTORIES['turns of the user']?.(size) ?? []
      return () => withInstructions(withInstructions(messages, 'a'.repeat(size)), 'a'.repeat(size))
    }
    await expectLinear({ name: 'instructions', make })
  })

  it('clock: the name of a zone', async () => {
    const make = (size: number): Work => {
      const call = { name: 'current_time', callId: 'c', input: { time_zone: 'A/'.repeat(size) } }
      return () => clock.executeTool(call, {})
    }
    await expectLinear({ name: 'clock', make })
  })
})
