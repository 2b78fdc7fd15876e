import { expect } from 'chai'
import fc from 'fast-check'
import thinkTags from '../../../extensions/think-tags/index.ts'
import { createHost, type Message } from '../../../src/core/index.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { bothWays, cuts, deltasIn, replayWith, segment, textPart } from '../../helpers/both-ways.ts'
import { propertyRuns, propertyTimeout } from '../../helpers/cases.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { eventProvider } from '../../helpers/plugins.ts'

const plugins = [thinkTags]

function configOf(settings: object) {
  return { settings: { 'think-tags': { ...settings } } }
}

/** The parts that a text becomes, as `kind: text`. */
async function shownOf(text: string, settings: object = {}): Promise<string[]> {
  const events = textPart([...text])
  const { messages } = await bothWays({ events, plugins, config: configOf(settings) })
  return messages.flatMap(shown)
}

function shown({ parts }: Message): string[] {
  return parts.map((part) => ('text' in part ? `${part.type}: ${String(part.text)}` : part.type))
}

async function deltasOf(pieces: readonly string[]): Promise<string[]> {
  const { events } = await bothWays({ events: textPart(pieces), plugins })
  return deltasIn(events)
}

describe('think-tags', () => {
  it('CL-42 makes reasoning of what stands between the tags', async () => {
    expect(await shownOf('<think>\nTwo and two.\n</think>\n\nFour.')).to.deep.equal([
      'reasoning: Two and two.',
      'text: Four.',
    ])
    expect(await shownOf('<thinking>a</thinking>b<reasoning>c</reasoning>')).to.deep.equal([
      'reasoning: a',
      'text: b',
      'reasoning: c',
    ])
  })

  it('keeps text before and after, and several thoughts', async () => {
    expect(
      await shownOf('One <think>a</think> two\n<think>b</think><think>c</think>'),
    ).to.deep.equal(['text: One ', 'reasoning: a', 'text: two\n', 'reasoning: b', 'reasoning: c'])
  })

  it('takes all to the end where a tag never closes', async () => {
    expect(await shownOf('Well. <think> a < b \n')).to.deep.equal([
      'text: Well. ',
      'reasoning: a < b',
    ])
    expect(await shownOf('<think>')).to.deep.equal([])
    expect(await shownOf('<think>a</thi')).to.deep.equal(['reasoning: a</thi'])
  })

  it('leaves a closing tag alone that closes nothing', async () => {
    expect(await shownOf('a</think> b')).to.deep.equal(['text: a</think> b'])
  })

  it('begins inside a tag where the settings say so, in the first text alone', async () => {
    const settings = { starts_open: true }
    expect(await shownOf('a\n</think>\nb', settings)).to.deep.equal(['reasoning: a', 'text: b'])
    expect(await shownOf('a', settings)).to.deep.equal(['reasoning: a'])
    const events = [...textPart(['a</think>b']), ...textPart(['c'], '2')]
    const { messages } = await bothWays({ events, plugins, config: configOf(settings) })
    expect(messages.flatMap(shown)).to.deep.equal(['reasoning: a', 'text: b', 'text: c'])
  })

  it('nests nothing: the first closing tag of the same name ends the reasoning', async () => {
    expect(await shownOf('<think>a<think>b</thinking>c</think>d</think>')).to.deep.equal([
      'reasoning: a<think>b</thinking>c',
      'text: d</think>',
    ])
  })

  it('leaves tags in code alone', async () => {
    const texts = [
      'Write `<think>` to think.',
      '```xml\n<think>\nno\n</think>\n```\n',
      'a\n~~~\n<think>no</think>\n~~~',
    ]
    for (const text of texts) expect(await shownOf(text)).to.deep.equal([`text: ${text}`])
    expect(await shownOf('```\nx\n```\n<think>a</think>b')).to.deep.equal([
      'text: ```\nx\n```\n',
      'reasoning: a',
      'text: b',
    ])
  })

  it('knows only the tags of its settings', async () => {
    const settings = { tags: ['seed:think'] }
    expect(await shownOf('<think>a</think><seed:think>b</seed:think>', settings)).to.deep.equal([
      'text: <think>a</think>',
      'reasoning: b',
    ])
    const host = await scriptedHost(plugins, { enabled_plugins: ['think-tags'] })
    const { result } = host.stream(configOf({ tags: ['a b'] }), 'Hello')
    expect((await result).error).to.include({ pointer: '/settings/think-tags/tags/0' })
    await host.close()
  })

  it('changes no text without tags, white space at its ends included', async () => {
    for (const text of ['\n a < b <thin>\n', ' ', '<', '<<think'])
      expect(await shownOf(text)).to.deep.equal([`text: ${text}`])
  })

  it('holds back only what may become a tag, and nothing at the end', async () => {
    expect(await deltasOf(['a<', 'b', ' <thin', 'g', 's'])).to.deep.equal([
      'a',
      '<b',
      ' ',
      '<thing',
      's',
    ])
    expect(await deltasOf(['a', ' <think'])).to.deep.equal(['a', ' ', '<think'])
  })

  it('gives what the provider says of a text to its last text part', async () => {
    const providerMetadata = { p: { id: 'msg_1' } }
    const facts = (text: string): PartialEvent[] =>
      textPart([text]).map((event) =>
        event.type === 'text-end' ? { ...event, providerMetadata } : event,
      )
    const answered = async (text: string) =>
      (await bothWays({ events: facts(text), plugins })).messages[0]?.parts
    expect(await answered('<think>a</think>b')).to.deep.equal([
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: 'b', providerMetadata },
    ])
    expect(await answered('b<think>a</think>')).to.deep.equal([
      { type: 'text', text: 'b' },
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: '', providerMetadata },
    ])
  })

  it('keeps the place of a text among other parts, and leaves those alone', async () => {
    const events: PartialEvent[] = [
      ...segment('reasoning', ['<think>']),
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: '<think>a</think>' },
      { type: 'tool-call-start', id: 'c', name: 'look' },
      { type: 'tool-call-end', id: 'c', input: {} },
      { type: 'text-delta', id: '1', delta: 'b' },
      { type: 'text-end', id: '1' },
    ]
    const { messages } = await bothWays({ events, plugins })
    expect(messages.flatMap(shown)).to.deep.equal([
      'reasoning: <think>',
      'reasoning: a',
      'text: b',
      'tool-call',
    ])
  })

  it('hands on lists of events without text as they are', () => {
    const partials = segment('reasoning', ['a'])
    const run = thinkTags.processChunk as (...args: unknown[]) => unknown[]
    const settings = { tags: ['think'], starts_open: false }
    const context = { local: new Map(), settings, signal: new AbortController().signal }
    expect(run({}, partials, [], {}, {}, context)[0]).to.equal(partials)
  })

  it('loses nothing where a stream fails', async () => {
    async function* stream() {
      yield* textPart(['a <thi']).slice(0, -1)
      throw new Error('lost')
    }
    const provider = { ...eventProvider([], { tags: ['text'] }), stream }
    const config = { enabled_plugins: ['think-tags'] }
    const host = await createHost({ plugins: [provider, thinkTags], config })
    const { messages, status } = await host.stream({}, 'Hello').result
    expect(status).to.equal('failed')
    expect(messages.flatMap(shown)).to.deep.equal(['text: a <thi'])
    await host.close()
  })

  it('is off until it is asked for', async () => {
    const host = await createHost({ plugins: [eventProvider(textPart(['a'])), thinkTags] })
    expect((await host.resolve({})).enabled.extensions).to.deep.equal([])
    await host.close()
  })

  const piece = fc.constantFrom(
    '<think>',
    '</think>',
    '<thinking>',
    '</thinking>',
    ...'<,</,think>, ,\n,`,```\n,\n```,a,b c,<thi,<br>,🙂'.split(','),
  )
  const texts = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))

  it('CL-42 makes the same of a text however it is cut', async () => {
    const cut = fc.array(cuts(texts), { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(cut, fc.boolean(), async (pieces, starts_open) => {
        const config = configOf({ starts_open })
        const ask = (all: readonly (readonly string[])[]) => {
          const events = all.flatMap((each, at) => textPart(each, `${at}`))
          return bothWays({ events, plugins, config })
        }
        const { messages } = await ask(pieces)
        const whole = await ask(pieces.map((each) => [each.join('')]))
        expect(messages).to.deep.equal(whole.messages)
      }),
      { numRuns: propertyRuns(300, 20) },
    )
  })

  it('works beside the scripted provider', async () => {
    const script = [{ then: { text: 'Hm. <think>2 + 2</think>\n4 <', chunks: 1 } }]
    const config = { enabled_plugins: ['think-tags'], settings: { scripted: { script } } }
    const host = await scriptedHost(plugins, config)
    const sent = await host.send({}, 'Hello')
    const streamed = await host.stream({}, 'Hello').result
    expect(sent.messages.flatMap(shown)).to.deep.equal([
      'text: Hm. ',
      'reasoning: 2 + 2',
      'text: 4 <',
    ])
    expect(streamed.messages).to.deep.equal(sent.messages)
    await host.close()
  })

  it('leaves recorded answers without tags as they are', async function () {
    this.timeout(propertyTimeout(60_000))
    const count = await replayWith(plugins, (messages, plain) => {
      if (!JSON.stringify(plain).includes('<think>')) expect(messages).to.deep.equal(plain)
    })
    if (this.test) this.test.title += ` (${count} recordings)`
  })
})
