import { expect } from 'chai'
import fc from 'fast-check'
import smoothStream from '../../../extensions/smooth-stream/index.ts'
import { createHost } from '../../../src/core/index.ts'
import { EventChecker, type PartialEvent, textOf } from '../../../src/plugin/events/index.ts'
import {
  bothWays,
  cuts,
  deltasIn,
  gather,
  replayWith,
  segment,
  textPart,
} from '../../helpers/both-ways.ts'
import { propertyRuns, propertyTimeout } from '../../helpers/cases.ts'
import { collect, scriptedHost } from '../../helpers/hosts.ts'
import { eventProvider } from '../../helpers/plugins.ts'

const plugins = [smoothStream]

function configOf(settings: object) {
  return { settings: { 'smooth-stream': { ...settings } } }
}

async function deltasOf(events: readonly PartialEvent[], settings: object = {}): Promise<string[]> {
  const answer = await bothWays({ events, plugins, config: configOf(settings) })
  return deltasIn(answer.events)
}

/** A host whose provider yields these events and then what it likes. */
function hostOf(stream: () => AsyncGenerator<PartialEvent>) {
  const provider = { ...eventProvider([], { tags: ['text'] }), stream }
  return createHost({
    plugins: [provider, ...plugins],
    config: { enabled_plugins: ['smooth-stream'] },
  })
}

describe('smooth-stream', () => {
  it('cuts large deltas into words', async () => {
    expect(await deltasOf(textPart(['One two,  three\n\nfour.']))).to.deep.equal([
      'One ',
      'two,  ',
      'three\n\n',
      'four.',
    ])
  })

  it('holds a word until it is whole', async () => {
    expect(await deltasOf(textPart(['O', 'ne', ' t', 'wo ', ' ', 'three']))).to.deep.equal([
      'One ',
      'two ',
      ' ',
      'three',
    ])
  })

  it('keeps the end of a thought out of the answer, even if both have the same id', async () => {
    const both = (end: string, more: object = {}) =>
      ['reasoning', 'text'].map((kind) => ({ type: `${kind}-${end}`, id: 'x', ...more }))
    const parts = [...both('start'), ...both('delta', { delta: 'one' }), ...both('end')]
    const events = parts as PartialEvent[]
    const answer = await bothWays({ events, plugins, config: configOf({ reasoning: true }) })
    const deltas = answer.events.flatMap((event) => ('delta' in event ? [event.delta] : []))
    expect(deltas).to.deep.equal(['one', 'one'])
  })

  it('cuts by lines where the settings say so', async () => {
    const events = textPart(['One ', 'two\nthree\n\nfo', 'ur'])
    expect(await deltasOf(events, { by: 'line' })).to.deep.equal([
      'One two\n',
      'three\n',
      '\n',
      'four',
    ])
  })

  it('finds the words of scripts without spaces', async () => {
    expect(await deltasOf(textPart(['東京は晴れ', 'です。傘は不要']))).to.deep.equal([
      '東京',
      'は',
      '晴れ',
      'です。',
      '傘',
      'は',
      '不要',
    ])
    const thai = await deltasOf(textPart(['สวัสดีครับผมชื่อ']))
    expect(thai.length).to.be.greaterThan(2)
  })

  it('leaves reasoning alone until it is asked to', async () => {
    const events = segment('reasoning', ['One tw', 'o'])
    expect(await deltasOf(events)).to.deep.equal(['One tw', 'o'])
    expect(await deltasOf(events, { reasoning: true })).to.deep.equal(['One ', 'two'])
  })

  it('lets long words and lines go', async () => {
    const long = 'x'.repeat(100)
    expect(await deltasOf(textPart([long, long, 'y']))).to.deep.equal([long + long, 'y'])
    const lines = Array.from({ length: 45 }, () => long)
    expect((await deltasOf(textPart(lines), { by: 'line' })).length).to.equal(2)
  })

  it('shows nothing late: whatever else comes lets the held word go', async () => {
    const events: PartialEvent[] = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'One tw' },
      { type: 'source', url: 'https://example.test' },
      { type: 'text-delta', id: '1', delta: 'o three' },
      ...textPart(['a b'], '2'),
      { type: 'text-end', id: '1' },
    ]
    const answer = await bothWays({ events, plugins })
    const shown = answer.events.map((event) => ('delta' in event ? event.delta : event.type))
    expect(shown.slice(1, -1)).to.deep.equal([
      'text-start',
      'One ',
      'tw',
      'source',
      'o ',
      'three',
      'text-start',
      'a ',
      'b',
      'text-end',
      'text-end',
    ])
  })

  it('loses nothing where a stream fails', async () => {
    const host = await hostOf(async function* () {
      yield* textPart(['One tw']).slice(0, -1)
      throw new Error('lost')
    })
    const stream = host.stream({}, 'Hello')
    const events = await collect(stream)
    const checker = new EventChecker()
    for (const event of events) checker.check(event)
    expect(gather(events).map(textOf)).to.deep.equal(['One tw'])
    expect((await stream.result).messages.map(textOf)).to.deep.equal(['One tw'])
    const failed = await host.send({}, 'Hello').catch((error: unknown) => error)
    expect(
      (failed as { partial: Parameters<typeof textOf>[0][] }).partial.map(textOf),
    ).to.deep.equal(['One tw'])
    await host.close()
  })

  it('loses nothing where a request is cancelled', async () => {
    const cancel = new AbortController()
    const host = await hostOf(async function* () {
      yield* textPart(['One tw']).slice(0, -1)
      setImmediate(() => cancel.abort())
      await new Promise(() => undefined)
    })
    const stream = host.stream({}, 'Hello', { signal: cancel.signal })
    const events = await collect(stream)
    expect(events.map(({ type }) => type).slice(-3)).to.deep.equal([
      'text-delta',
      'text-end',
      'abort',
    ])
    expect(gather(events).map(textOf)).to.deep.equal(['One tw'])
    expect((await stream.result).messages.map(textOf)).to.deep.equal(['One tw'])
    await host.close()
  })

  it('hands on lists of events without text as they are', () => {
    const partials = segment('reasoning', ['a'])
    const run = smoothStream.processChunk as (...args: unknown[]) => unknown[]
    const settings = { by: 'word', reasoning: false }
    const context = { local: new Map(), settings, signal: new AbortController().signal }
    expect(run({}, partials, [], {}, {}, context)[0]).to.equal(partials)
  })

  it('CL-42 changes no message, however it was cut', async () => {
    const text = fc
      .array(fc.constantFrom(...' ,\n,a,bc, d,東京,は,。,🙂,สวัสดี,\u3000,-'.split(',')), {
        maxLength: 20,
      })
      .map((pieces) => pieces.join(''))
    const settings = fc.record({
      by: fc.constantFrom('word', 'line'),
      reasoning: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(cuts(text), cuts(text), settings, async (one, other, chosen) => {
        const events = [...segment('reasoning', one), ...textPart(other, '2')]
        const { messages } = await bothWays({ events, plugins, config: configOf(chosen) })
        const plain = gather(events).filter(({ parts }) => parts.length > 0)
        expect(messages).to.deep.equal(plain)
      }),
      { numRuns: propertyRuns(200, 20) },
    )
  })

  it('takes no longer for one long word than for many', () => {
    const run = smoothStream.processChunk as (...args: unknown[]) => unknown[]
    const settings = { by: 'word', reasoning: false }
    const context = { local: new Map(), settings, signal: new AbortController().signal }
    const started = performance.now()
    for (let count = 0; count < 100_000; count++) {
      run({}, [{ type: 'text-delta', id: '1', delta: 'x' }], [], {}, {}, context)
    }
    expect(performance.now() - started).to.be.lessThan(2000)
  })

  it('works beside the scripted provider', async () => {
    const script = [{ then: { reasoning: 'I look.', text: 'One two three', chunks: 5 } }]
    const config = { enabled_plugins: ['smooth-stream'], settings: { scripted: { script } } }
    const host = await scriptedHost(plugins, config)
    const sent = await host.send({}, 'Hello')
    const stream = host.stream({}, 'Hello')
    const events = await collect(stream)
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
    expect(deltas).to.deep.equal(['One ', 'two ', 'three'])
    expect((await stream.result).messages).to.deep.equal(sent.messages)
    await host.close()
  })

  it('CL-42 leaves recorded answers as they are', async function () {
    this.timeout(propertyTimeout(60_000))
    const count = await replayWith(plugins, (messages, plain) =>
      expect(messages).to.deep.equal(plain),
    )
    if (this.test) this.test.title += ` (${count} recordings)`
  })
})
