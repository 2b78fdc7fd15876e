import { expect } from 'chai'
import fc from 'fast-check'
import citations from '../../../extensions/citations/index.ts'
import { createHost, textOf } from '../../../src/core/index.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { bothWays, cuts, replayWith, segment, textPart } from '../../helpers/both-ways.ts'
import { HAS_ALL_CASES, propertyRuns, propertyTimeout } from '../../helpers/cases.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { eventProvider } from '../../helpers/plugins.ts'

const plugins = [citations]
const A = { type: 'source', url: 'https://a.test/', title: 'A', citedText: 'a' } as const
const B = {
  type: 'source',
  url: 'https://b.test/',
  title: 'B\n b',
  providerMetadata: { openai: { type: 'url_citation', start_index: 0, end_index: 3 } },
} as const
const FILE = {
  type: 'source',
  title: 'notes.pdf',
  providerMetadata: { openai: { type: 'file_citation', index: 12 } },
} as const
const FOUND = { type: 'source', url: 'https://c.test/' } as const

function configOf(settings: object) {
  return { settings: { citations: { ...settings } } }
}

async function textFor(events: readonly PartialEvent[], settings: object = {}): Promise<string> {
  const { messages } = await bothWays({ events, plugins, config: configOf(settings) })
  return messages.map(textOf).join('|')
}

describe('citations', () => {
  it('CL-42 marks what a text cites, and lists it at the end', async () => {
    const events = [...textPart(['One', ' two.']), A, B, ...textPart([' Three.'], '2'), FILE, A]
    expect(await textFor(events)).to.equal(
      'One two.[1][2] Three.[3][1]\n\n[1] A — https://a.test/\n[2] B b — https://b.test/\n[3] notes.pdf',
    )
  })

  it('gives the same address one number, and a text one mark of it', async () => {
    const again = { ...A, title: 'Again', citedText: 'b' }
    const events = [...textPart(['One.']), A, again, ...textPart(['Two.'], '2'), again]
    expect(await textFor(events, { list: false })).to.equal('One.[1]Two.[1]')
  })

  it('lists what was found where nothing is cited', async () => {
    expect(await textFor([FOUND, A, ...textPart(['One.']), FOUND])).to.equal(
      'One.\n\n[1] https://c.test/\n[2] A — https://a.test/',
    )
    expect(await textFor([FOUND, ...textPart(['One.']), A])).to.equal(
      'One.[1]\n\n[1] A — https://a.test/',
    )
  })

  it('marks only a text that stands right before the source', async () => {
    const call: PartialEvent[] = [
      { type: 'tool-call-start', id: 'c', name: 'look' },
      { type: 'tool-call-end', id: 'c', input: {}, providerExecuted: true },
    ]
    expect(await textFor([...textPart(['One.']), ...call, A], { list: false })).to.equal('One.')
    const [start, ...rest] = textPart(['One.'])
    const between = [start, ...call, ...rest, A] as PartialEvent[]
    expect(await textFor(between, { list: false })).to.equal('One.')
  })

  it('lists nothing in a message that calls tools of the host', async () => {
    const call: PartialEvent[] = [
      { type: 'tool-call-start', id: 'c', name: 'look' },
      { type: 'tool-call-end', id: 'c', input: {} },
    ]
    expect(await textFor([...textPart(['One.']), A, ...call])).to.equal('One.[1]')
  })

  it('leaves out marks or the list where the settings say so', async () => {
    const events = [...textPart(['One.']), A]
    expect(await textFor(events, { marks: false })).to.equal('One.\n\n[1] A — https://a.test/')
    expect(await textFor(events, { marks: false, list: false })).to.equal('One.')
  })

  it('is the same where a provider does not stream', async () => {
    const parts = [{ type: 'text', text: 'One.' }, A]
    const call = (native: unknown, state: unknown) => [
      [],
      [{ role: 'assistant', parts }],
      native,
      state,
    ]
    const provider = { kind: 'provider', name: 'p', getTags: () => ['text'], call }
    const config = { enabled_plugins: ['citations'] }
    const host = await createHost({ plugins: [provider, ...plugins], config })
    const { messages } = await host.stream({}, 'Hello').result
    expect(messages.map(textOf)).to.deep.equal(['One.[1]\n\n[1] A — https://a.test/'])
    expect((await host.send({}, 'Hello')).messages).to.deep.equal(messages)
    await host.close()
  })

  it('hands on deltas as they are', () => {
    const partials = [{ type: 'text-delta', id: '1', delta: 'a' }]
    const run = citations.processChunk as (...args: unknown[]) => unknown[]
    expect(run({}, partials, [], {}, {}, {})[0]).to.equal(partials)
  })

  it('CL-42 makes the same message however the text is cut', async () => {
    const source = fc.constantFrom(A, B, FILE, FOUND, { ...B, url: A.url })
    const item = fc.oneof(
      cuts(fc.string({ minLength: 1, maxLength: 12 })).map((pieces) => ({ pieces })),
      source.map((one) => ({ source: one })),
      fc.constant({ thought: 'Hm.' }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 10 }), async (items) => {
        const eventsOf = (isWhole: boolean) =>
          items.flatMap((one, at): readonly PartialEvent[] => {
            if ('source' in one) return [one.source]
            if ('thought' in one) return segment('reasoning', [one.thought], `${at}`)
            return textPart(isWhole ? [one.pieces.join('')] : one.pieces, `${at}`)
          })
        const cut = await bothWays({ events: eventsOf(false), plugins })
        const whole = await bothWays({ events: eventsOf(true), plugins })
        expect(cut.messages).to.deep.equal(whole.messages)
      }),
      { numRuns: propertyRuns(150, 10) },
    )
  })

  it('works beside the scripted provider, in send and stream', async () => {
    const { type: _, ...source } = A
    const script = [{ then: { text: 'One two', sources: [source], chunks: 2 } }]
    const config = { enabled_plugins: ['citations'], settings: { scripted: { script } } }
    const host = await scriptedHost(plugins, config)
    const sent = await host.send({}, 'Hello')
    const streamed = await host.stream({}, 'Hello').result
    expect(streamed.messages).to.deep.equal(sent.messages)
    expect(sent.messages.map(textOf)).to.deep.equal(['One two[1]\n\n[1] A — https://a.test/'])
    await host.close()
  })

  it('is off until it is asked for', async () => {
    const host = await createHost({ plugins: [eventProvider(textPart(['a'])), ...plugins] })
    expect((await host.resolve({})).enabled.extensions).to.deep.equal([])
    await host.close()
  })

  it('CL-42 adds to recorded answers what they cite, and nothing to others', async function () {
    this.timeout(propertyTimeout(60_000))
    let cited = 0
    const count = await replayWith(plugins, (messages, plain) => {
      const hasSources = plain.some(({ parts }) => parts.some(({ type }) => type === 'source'))
      if (!hasSources) expect(messages).to.deep.equal(plain)
      else if (messages.some((message) => textOf(message).includes('[1]'))) cited++
    })
    expect(cited).to.be.greaterThan(HAS_ALL_CASES ? 2 : 0)
    if (this.test) this.test.title += ` (${count} recordings)`
  })
})
