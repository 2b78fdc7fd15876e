import { expect } from 'chai'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../src/server/wire/protocol.ts'
import { textEvents } from '../../helpers/hosts.ts'
import {
  ANTHROPIC_MESSAGES,
  type ApiProtocol,
  CHAT_COMPLETIONS,
  framesOf,
  RESPONSES,
} from './api-protocols.ts'
import { factsOf, runOf } from './runs.ts'

interface Told {
  readonly protocol: ApiProtocol
  /** The texts of a whole answer, which clients join. */
  readonly textsIn: (body: never) => readonly string[]
  /** The text in the data of an event. */
  readonly textOf: (event: never) => string | undefined
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly content?: readonly { readonly text: string }[]
}

const PROTOCOLS: { readonly [name: string]: Told } = {
  'chat completions': {
    protocol: CHAT_COMPLETIONS,
    textsIn: ({ choices }: { choices: readonly { message: { content: string } }[] }) =>
      choices.map(({ message }) => message.content),
    textOf: ({ choices }: { choices: readonly { delta: { content?: string } }[] }) =>
      choices[0]?.delta.content,
  },
  responses: {
    protocol: RESPONSES,
    textsIn: ({ output }: { output: readonly Block[] }) =>
      output.flatMap((item) =>
        item.type === 'message' ? (item.content ?? []).map(({ text }) => text) : [],
      ),
    textOf: ({ type, delta }: { type: string; delta?: string }) =>
      type === 'response.output_text.delta' ? delta : undefined,
  },
  messages: {
    protocol: ANTHROPIC_MESSAGES,
    textsIn: ({ content }: { content: readonly Block[] }) =>
      content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])),
    textOf: ({ delta }: { delta?: { text?: string } }) => delta?.text,
  },
}

const hostCall = (id: string): readonly PartialEvent[] => [
  { type: 'tool-call-start', id, name: 'of-the-host' },
  { type: 'tool-call-end', id, input: {} },
]
const SOURCE: PartialEvent = { type: 'source', url: 'https://a.test/', title: 'A' }
const PROSE = runOf(
  [...textEvents('I ', 'look.'), SOURCE, ...hostCall('h1')],
  [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    { type: 'reasoning-end', id: 'r' },
    ...hostCall('h2'),
  ],
  textEvents('{"a"', ':1}'),
)

for (const [name, { protocol, textsIn, textOf }] of Object.entries(PROTOCOLS)) {
  describe(`the texts of several steps as ${name}`, () => {
    const HELD: RunFacts = { ...factsOf(), holdsText: true }

    function whole(events: typeof PROSE, facts?: RunFacts): string {
      const answer = protocol.whole(facts ?? factsOf())
      for (const event of events) answer.add(event)
      return textsIn(answer.answer().body as never).join('')
    }

    function streamed(events: typeof PROSE, facts?: RunFacts): readonly string[] {
      const frames = framesOf(protocol, events, facts)
      const data = [...frames.join('').matchAll(/^data: (\{.*)$/gm)]
      const texts = data.map(([, json = '']) => textOf(JSON.parse(json) as never))
      return texts.filter((text) => text !== undefined && text !== '') as readonly string[]
    }

    it('have a blank line between them, whole and as a stream', () => {
      expect(whole(PROSE)).to.equal('I look.\n\n{"a":1}')
      expect(streamed(PROSE)).to.deep.equal(['I ', 'look.', '\n\n{"a"', ':1}'])
    })

    it('have none within a step, and in front of the first text', () => {
      const events = runOf(hostCall('h1'), [...textEvents('a'), ...textEvents('b')])
      expect(whole(events)).to.equal('ab')
      expect(streamed(events).join('')).to.equal('ab')
    })

    it('are those of the last step for an answer in a format', () => {
      expect(whole(PROSE, HELD)).to.equal('{"a":1}')
      expect(streamed(PROSE, HELD).join('')).to.equal('{"a":1}')
      for (const facts of [HELD, { ...HELD, clientTools: new Set(['look']) }]) {
        const text = framesOf(protocol, PROSE, facts).join('')
        expect(text).to.not.include('look.').and.not.include('a.test')
      }
    })

    it('stand beside the calls of the client where these end an answer in a format', () => {
      const facts = { ...HELD, clientTools: new Set(['look']) }
      const call: readonly PartialEvent[] = [
        { type: 'tool-call-start', id: 'c1', name: 'look' },
        { type: 'tool-call-delta', id: 'c1', delta: '{"at":1}' },
        { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
      ]
      const events = runOf(hostCall('h1'), [...textEvents('Where?'), ...call])
      expect(whole(events, facts)).to.equal('Where?')
      expect(streamed(events, facts).join('')).to.equal('Where?')
      expect(framesOf(protocol, events, facts).join('')).to.include('c1')
    })
  })
}
