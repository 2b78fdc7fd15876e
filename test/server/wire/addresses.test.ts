import { expect } from 'chai'
import fc from 'fast-check'
import type {
  FilePart,
  PartialEvent,
  RunEvent,
  SourcePart,
} from '../../../src/plugin/events/index.ts'
import { addressType, eventWithSafeAddresses } from '../../../src/server/wire/addresses.ts'
import { agUiEncoder } from '../../../src/server/wire/ag-ui/index.ts'
import { toUiMessages, uiMessageEncoder } from '../../../src/server/wire/ui-message-stream/index.ts'
import { ANTHROPIC_MESSAGES, CHAT_COMPLETIONS, RESPONSES } from './api-protocols.ts'
import { factsOf, numbered, runOf } from './runs.ts'

/** In each hostile address, so that it is found wherever it comes out. */
const MARK = 'alert(1)'

const HOSTILE: readonly string[] = [
  `javascript:${MARK}`,
  `JaVaScRiPt:${MARK}`,
  `\tjavascript:${MARK}`,
  ` \u0000javascript:${MARK}`,
  `java\nscript:${MARK}`,
  `java\tscript\r\n:${MARK}`,
  `\u200bjavascript:${MARK}`,
  `javascript://example.org/%0a${MARK}`,
  `vbscript:${MARK}`,
  `data:text/html,${MARK}`,
  `data:text/html;base64,${MARK}`,
  `DATA:TEXT/HTML,${MARK}`,
  `data: text/html,${MARK}`,
  `data:application/xhtml+xml,${MARK}`,
  `blob:https://example.org/${MARK}`,
  `file:///etc/${MARK}`,
  `view-source:https://example.org/${MARK}`,
  `intent://${MARK}`,
  `http:${MARK}`,
]

const GOOD = 'https://example.org/page?a=1#b'

/** All ways in which an address comes with an answer. */
function eventsWith(url: string): readonly PartialEvent[] {
  const own = { url, uri: url, href: url, image_url: url }
  const citations = [{ type: 'web_search_result_location', title: 't', ...own }]
  const providerMetadata = {
    anthropic: { block: { type: 'text', text: '', citations }, citations, ...own },
    openai: { annotations: [{ type: 'url_citation', ...own }] },
  }
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'said' },
    { type: 'text-end', id: 't', providerMetadata },
    { type: 'source', url },
    { type: 'source', url, title: 'A page', providerMetadata },
    { type: 'file', mediaType: 'image/png', url },
    { type: 'file', mediaType: 'text/html', url, providerMetadata },
  ]
}

type Writes = (events: readonly RunEvent[]) => string

function wholeBy({ whole }: typeof CHAT_COMPLETIONS): Writes {
  return (events) => {
    const answer = whole(factsOf())
    for (const event of events) answer.add(event)
    return JSON.stringify(answer.answer())
  }
}

function streamBy(encoder: typeof CHAT_COMPLETIONS.encoder): Writes {
  return (events) => {
    const encoding = encoder(factsOf())
    return events.map((event) => encoding.encode(event)).join('')
  }
}

/** Everything that writes what clients read. */
const WIRES: readonly [name: string, write: Writes][] = [
  ['chat completions, streaming', streamBy(CHAT_COMPLETIONS.encoder)],
  ['chat completions, whole', wholeBy(CHAT_COMPLETIONS)],
  ['Anthropic messages, streaming', streamBy(ANTHROPIC_MESSAGES.encoder)],
  ['Anthropic messages, whole', wholeBy(ANTHROPIC_MESSAGES)],
  ['responses, streaming', streamBy(RESPONSES.encoder)],
  ['responses, whole', wholeBy(RESPONSES)],
  ...([5, 6, 7] as const).map((sdk): [string, Writes] => [
    `UI messages of the AI SDK ${sdk}, streaming`,
    streamBy((facts) => uiMessageEncoder(facts, { sdk })),
  ]),
  ['UI messages, as a history', (events) => JSON.stringify(toUiMessages(messagesOf(events)))],
  ['AG-UI', streamBy((facts) => agUiEncoder(facts))],
  ['events of a run', (events) => JSON.stringify(events.map(eventWithSafeAddresses))],
]

function messagesOf(events: readonly RunEvent[]) {
  const finish = events.at(-1)
  return finish?.type === 'finish' ? finish.messages : []
}

describe('addresses that an answer brings', () => {
  for (const [name, write] of WIRES) {
    for (const url of HOSTILE) {
      it(`do not leave by ${name}: ${JSON.stringify(url)}`, () => {
        expect(write(runOf(eventsWith(url))))
          .to.include('said')
          .and.not.include(`:${MARK}`)
        for (const written of urlsIn(write(runOf(eventsWith(url))))) {
          expect(written).not.to.include(MARK)
        }
      })
    }

    it(`do not leave by ${name}, however they are written`, () => {
      const scheme = fc.constantFrom('javascript', 'vbscript', 'data', 'file', 'blob')
      const noise = fc.constantFrom('', ' ', '\t', '\n', '\u0000', '\u00ad', '\u200d')
      const spelled = fc
        .tuple(scheme, fc.infiniteStream(noise), fc.infiniteStream(fc.boolean()))
        .map(([word, noises, large]) =>
          Array.from(word)
            .map((letter) => (large.next().value ? letter.toUpperCase() : letter))
            .map((letter) => `${noises.next().value}${letter}`)
            .join(''),
        )
      fc.assert(
        fc.property(spelled, (word) => {
          for (const written of urlsIn(write(runOf(eventsWith(`${word}:text/html,${MARK}`))))) {
            expect(written).not.to.include(MARK)
          }
        }),
      )
    })
  }

  it('of artifacts and evidence leave only where they are of the web', () => {
    const eventsOf = (url: string): readonly RunEvent[] => {
      const stated = { artifacts: [{ uri: url, title: 'A' }], evidence: [url] }
      const about = { callId: 'c', name: 'n' } as const
      const result = { type: 'tool-result', ...about, output: 'said', ...stated } as const
      const call = { type: 'tool-call', ...about, input: {} } as const
      const answer = { role: 'assistant', parts: [call] } as const
      return numbered([
        { type: 'step-start', step: 1, requestId: 'r' },
        { type: 'tool-call-start', id: 'c', name: 'n' },
        { type: 'tool-call-end', id: 'c', input: {} },
        { type: 'step-finish', step: 1, finishReason: 'tool-calls', usage: {}, messages: [answer] },
        { type: 'tool-execution-end', callId: 'c', result },
        {
          type: 'finish',
          finishReason: 'stop',
          usage: {},
          messages: [answer, { role: 'tool', parts: [result] }],
        },
      ])
    }
    for (const [name, write] of WIRES) {
      for (const url of HOSTILE) expect(write(eventsOf(url)), name).not.to.include(MARK)
    }
    const showing = WIRES.filter(([, write]) => write(eventsOf(GOOD)).includes(GOOD))
    expect(showing.map(([name]) => name)).to.deep.equal([
      'responses, streaming',
      'responses, whole',
      'UI messages of the AI SDK 6, streaming',
      'UI messages of the AI SDK 7, streaming',
      'AG-UI',
      'events of a run',
    ])
  })

  it('leave where they are of the web', () => {
    for (const [name, write] of WIRES) expect(write(runOf(eventsWith(GOOD))), name).to.include(GOOD)
  })

  it('leave with a picture by value', () => {
    const picture = 'data:image/png;base64,iVBORw0KGgo='
    const file: FilePart = { type: 'file', mediaType: 'image/png', url: picture }
    expect(shown(file)).to.deep.equal({ type: 'file', mediaType: 'image/png', url: picture })
  })

  it('hold a page by value as a file alone, which no browser shows', () => {
    const file: FilePart = { type: 'file', mediaType: 'text/html', data: 'PGI+' }
    expect(shown(file)).to.deep.equal({
      type: 'file',
      mediaType: 'text/html',
      url: 'data:application/octet-stream;base64,PGI+',
    })
  })

  it('name a document where they are no links', () => {
    expect(shown({ type: 'source', url: 's3://bucket/report' })).to.include({
      type: 'source-document',
      title: 's3://bucket/report',
    })
    expect(shown({ type: 'source', url: 'javascript:x' })).to.include({ title: 'Document' })
  })
})

/** A part of an answer as a page has it. */
function shown(part: FilePart | SourcePart): object | undefined {
  return toUiMessages([{ role: 'assistant', parts: [part] }])[0]?.parts.at(-1)
}

/** Every value of a text of JSON, or of frames of it, that stands under a name for addresses. */
function urlsIn(text: string): readonly string[] {
  return [...text.matchAll(/"\w*(?:url|uri|href)":("(?:[^"\\]|\\.)*")/gi)].map(
    ([, json = '""']) => JSON.parse(json) as string,
  )
}

describe('the type of a data address', () => {
  it('is neutral where a browser would run it, also with signs that nobody sees', () => {
    for (const type of ['text/html', 'text/\u200bhtml', ' text/ht\nml', 'TEXT/\u0000HTML']) {
      expect(addressType(type), JSON.stringify(type)).to.equal('application/octet-stream')
    }
    expect(addressType('image/png')).to.equal('image/png')
  })
})
