import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { RunEventBody } from '../../../src/plugin/events/index.ts'
import { anthropicMessagesEncoder } from '../../../src/server/wire/anthropic-messages/index.ts'
import { chatCompletionEncoder } from '../../../src/server/wire/chat-completions/index.ts'
import type { RunFacts, StreamEncoder } from '../../../src/server/wire/protocol.ts'
import { responsesEncoder } from '../../../src/server/wire/responses/index.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { factsOf, numbered } from './runs.ts'

type Encoder = (facts: RunFacts) => StreamEncoder

const PAGES: { readonly [page: string]: Encoder } = {
  'wire-chat-completions': chatCompletionEncoder,
  'wire-anthropic-messages': anthropicMessagesEncoder,
  'wire-responses': responsesEncoder,
}

const usage = {}
const FINISH: RunEventBody = { type: 'finish', finishReason: 'stop', usage, messages: [] }
const STEP_END: RunEventBody = {
  type: 'step-finish',
  step: 1,
  finishReason: 'stop',
  usage,
  messages: [],
}

function call(name: string, more: object = {}): RunEventBody[] {
  return [
    { type: 'tool-call-start', id: 'c', name },
    { type: 'tool-call-end', id: 'c', input: {}, ...more },
  ]
}

const RESULT = { type: 'tool-result', callId: 'c', name: 'host', output: 1 } as const
const FILE = { type: 'file', mediaType: 'image/png', data: 'aGk=' } as const

/** The events of each row of a table; they come after a text. */
const SAMPLES: { readonly [row: string]: readonly RunEventBody[] } = {
  text: [
    { type: 'text-start', id: '2' },
    { type: 'text-delta', id: '2', delta: 'more' },
    { type: 'text-end', id: '2' },
  ],
  reasoning: [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    { type: 'reasoning-end', id: 'r' },
  ],
  'client tool call': call('look'),
  'host tool call': call('host'),
  'provider tool call': call('web_search', { providerExecuted: true }),
  'provider tool result': [{ ...RESULT, providerExecuted: true }],
  'execution of a host tool call': [
    ...call('host'),
    { type: 'tool-execution-start', callId: 'c', name: 'host', input: {} },
    { type: 'tool-execution-progress', callId: 'c', progress: 1 },
    { type: 'tool-execution-end', callId: 'c', result: RESULT },
  ],
  image: [FILE],
  'other file': [{ ...FILE, mediaType: 'application/pdf' }],
  'source with a URL': [{ type: 'source', url: 'https://a.test/' }],
  'source without a URL': [{ type: 'source', title: 'a file' }],
  data: [{ type: 'data', name: 'n', data: 1 }],
  metadata: [{ type: 'metadata', metadata: { a: 1 } }],
  'start and end of a step': [STEP_END, { type: 'step-start', step: 2, requestId: 'r2' }],
  'restarted step': [{ type: 'step-reset', step: 1, reason: 'again' }],
  'approval request': [
    { type: 'approval-required', approvalId: 'a', callId: 'c', name: 'host', input: {} },
  ],
  'approval answer': [{ type: 'approval-resolved', approvalId: 'a', callId: 'c', approved: true }],
  finish: [FINISH],
  error: [{ type: 'error', error: { code: 'TIMEOUT', message: 'slow' } }],
  abort: [{ type: 'abort', reason: 'by hand' }],
}

/** Where a run ends with the sample itself. */
const ENDINGS = new Set(['finish', 'error', 'abort'])

function textOf(
  encoder: Encoder,
  sample: readonly RunEventBody[],
  ending: readonly RunEventBody[],
) {
  const encoding = encoder(factsOf('look'))
  const bodies: RunEventBody[] = [
    { type: 'start', requestId: 'r' },
    { type: 'step-start', step: 1, requestId: 'r' },
    ...textEvents('It rains.'),
    ...sample,
    ...ending,
  ]
  return numbered(bodies)
    .map((event) => encoding.encode(event))
    .join('')
}

describe('the tables of what a protocol can express', () => {
  for (const [page, encoder] of Object.entries(PAGES)) {
    const text = readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(2)

    it(`${page} covers every event of a run`, () => {
      expect(rows.map(([, row]) => row)).to.deep.equal(Object.keys(SAMPLES))
    })

    for (const [, row = '', words = ''] of rows) {
      const isNothing = words.startsWith('nothing')
      it(`${page} is right that ${row} is ${isNothing ? 'nothing' : 'something'}`, () => {
        const ending = ENDINGS.has(row) ? [] : [STEP_END, FINISH]
        const sample = SAMPLES[row] ?? []
        const differs = textOf(encoder, sample, ending) !== textOf(encoder, [], ending)
        expect(differs).to.equal(!isNothing)
      })
    }
  }
})
