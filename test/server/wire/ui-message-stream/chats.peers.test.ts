import { expect } from 'chai'
import { HostError } from '../../../../src/core/index.ts'
import type { RunEventBody } from '../../../../src/plugin/events/index.ts'
import type { WireRequest } from '../../../../src/server/wire/protocol.ts'
import { publicError } from '../../../../src/server/wire/public-error.ts'
import {
  decodeUiRequest,
  SDK_VERSIONS,
  type SdkVersion,
  UI_MESSAGE_STREAM_HEADERS,
  type UiMessageStreamOptions,
  type UiRequest,
  uiErrorAnswer,
  uiMessageEncoder,
} from '../../../../src/server/wire/ui-message-stream/index.ts'
import { type ApiCall, ApiServer, type Served } from '../api-server.ts'
import { factsOf, numbered } from '../runs.ts'
import { askClients, type ClientAnswer, type ClientJob, needsClients } from './chat-clients.ts'
import { UiMessageStreamChecker } from './checker.ts'

const START = { type: 'start', requestId: 'r' } as const
const STEP = { type: 'step-start', step: 1, requestId: 'r' } as const
const INPUT = { city: 'Rome' }

function call(name: string): RunEventBody[] {
  return [
    START,
    STEP,
    { type: 'tool-call-start', id: 'c1', name },
    { type: 'tool-call-delta', id: 'c1', delta: JSON.stringify(INPUT) },
    { type: 'tool-call-end', id: 'c1', input: INPUT },
    { type: 'step-finish', step: 1, finishReason: 'tool-calls', usage: {}, messages: [] },
  ]
}

function text(delta: string, step = 1): RunEventBody[] {
  return [
    { ...STEP, step },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta },
    { type: 'text-end', id: 't' },
    finish('stop'),
  ]
}

function finish(finishReason: 'stop' | 'tool-calls'): RunEventBody {
  return { type: 'finish', finishReason, usage: {}, messages: [] }
}

/** What a server would answer, by the name of the chat. */
const CHATS: { readonly [chat: string]: (request: WireRequest) => RunEventBody[] } = {
  plain: ({ regenerate }) => [START, ...text(regenerate ? 'Hello again.' : 'Hello.')],
  approval: ({ approvals: [answer] }) => {
    const asked = { approvalId: 'a1', callId: 'c1' }
    if (!answer) {
      const required = { type: 'approval-required', ...asked, name: 'book', input: INPUT } as const
      return [...call('book'), required, finish('tool-calls')]
    }
    const { approved } = answer
    const result = { type: 'tool-result', callId: 'c1', name: 'book' } as const
    const output = approved ? { output: 'booked' } : { output: 'denied', isError: true }
    return [
      START,
      { type: 'approval-resolved', ...asked, approved },
      ...(approved
        ? [{ type: 'tool-execution-start', callId: 'c1', name: 'book', input: INPUT } as const]
        : []),
      { type: 'tool-execution-end', callId: 'c1', result: { ...result, ...output } },
      ...text(approved ? 'It is booked.' : 'I did not book it.', 2),
    ]
  },
  mine: ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? [START, ...text('It is warm.')]
      : [...call('locate'), finish('tool-calls')],
  broken: () => [START, STEP, { type: 'error', error: { code: 'OVERLOADED', message: 'secret' } }],
}

const SEND = { send: { text: 'Hello' } }
const AGAIN = 'lastAssistantMessageIsCompleteWithApprovalResponses'
const COMPLETE = 'lastAssistantMessageIsCompleteWithToolCalls'
const OUTPUT = { output: { tool: 'locate', toolCallId: 'c1', output: { lat: 41.9 } } }

const ASKED = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
const HALF = { id: 'resumed', role: 'assistant', parts: [{ type: 'text', text: 'Hel' }] }

function approving(approved: boolean): object {
  return { again: AGAIN, steps: [SEND, { approve: { id: 'a1', approved } }] }
}

const JOBS: readonly {
  readonly chat: string
  readonly name: string
  readonly does: object
  readonly from?: number
}[] = [
  { chat: 'plain', name: 'answers', does: { steps: [SEND, { regenerate: {} }] } },
  { chat: 'approval', name: 'approves', does: approving(true), from: 6 },
  { chat: 'approval', name: 'denies', does: approving(false), from: 6 },
  {
    chat: 'approval',
    name: 'approves by data',
    does: {
      steps: [
        SEND,
        {
          send: { parts: [{ type: 'data-approval', data: { approvalId: 'a1', approved: true } }] },
        },
      ],
    },
  },
  { chat: 'mine', name: 'calls', does: { again: COMPLETE, steps: [SEND, OUTPUT] } },
  { chat: 'plain', name: 'resumes', does: { steps: [{ resume: true }], messages: [ASKED] } },
  {
    chat: 'plain',
    name: 'goes on',
    does: { steps: [{ resume: true }], messages: [ASKED, HALF] },
    // Before it, clients add what is told again to what they have.
    from: 6,
  },
  { chat: 'broken', name: 'fails', does: { steps: [SEND] } },
  { chat: 'refused', name: 'refuses', does: { steps: [{ send: { parts: [] } }] } },
]

const NOTHING: WireRequest = {
  messages: [],
  settings: {},
  tools: [],
  isStreaming: true,
  approvals: [],
  ignored: [],
}

function encoded(
  bodies: readonly RunEventBody[],
  messageId: string,
  options: UiMessageStreamOptions,
): string[] {
  const encoder = uiMessageEncoder({ ...factsOf('locate'), messageId }, options)
  const checker = new UiMessageStreamChecker({ ...options, continues: true })
  const frames = numbered(bodies).map((event) => encoder.encode(event))
  for (const frame of frames) checker.check(frame)
  checker.end()
  return frames
}

describe('chats of the AI SDK with a server of the UI message stream', () => {
  const requests: { readonly chat: string; readonly request: WireRequest }[] = []
  let server: ApiServer
  let answers: ReadonlyMap<string, ClientAnswer>

  before(async function () {
    needsClients(this)
    this.timeout(60_000)
    server = await new ApiServer(reply).start()
    const jobs = SDK_VERSIONS.flatMap((version) =>
      JOBS.filter(({ from = 5 }) => from <= version).map(({ chat, name, does }): ClientJob => {
        // A client that answers by data is one that has been told of no other way.
        const sdk = /by data|resumes|goes on/.test(name) ? '' : `?sdk=${version}`
        const own = { kind: 'chat', name: `${name} ${version}`, version } as const
        return { ...own, ...does, url: `${server.url}/${sdk}`, id: `${chat}-${name}-${version}` }
      }),
    )
    answers = await askClients(jobs)
  })
  after(() => server?.close())

  function reply({ path, body }: ApiCall): Served {
    if (body === undefined) {
      const pieces = encoded(CHATS['plain']!(NOTHING), 'resumed', {})
      return { headers: UI_MESSAGE_STREAM_HEADERS, pieces }
    }
    try {
      const request = decodeUiRequest(body)
      const id = request.conversationId ?? ''
      requests.push({ chat: id, request })
      const sdk = Number(new URL(path, server.url).searchParams.get('sdk')) as SdkVersion
      return { headers: UI_MESSAGE_STREAM_HEADERS, pieces: framesOf(request, sdk || undefined) }
    } catch (error) {
      if (!HostError.is(error)) throw error
      return uiErrorAnswer(publicError(error.toJSON()))
    }
  }

  function framesOf(request: UiRequest, sdk: SdkVersion | undefined): string[] {
    const [chat = ''] = (request.conversationId ?? '').split('-')
    const messageId = request.continues ?? `answer-${requests.length}`
    return encoded(CHATS[chat]!(request), messageId, sdk ? { sdk } : {})
  }

  /** The types and texts of the last message, after that many messages and requests. */
  function seenIn(name: string, chat: string) {
    const { messages = [], status, error, thrown } = answers.get(name)!
    const asked = requests.filter((one) => one.chat === chat).length
    const parts = messages.at(-1)?.parts ?? []
    return {
      count: messages.length,
      asked,
      status,
      error: error ?? thrown,
      parts: parts.map(
        ({ type, state, text: said }) => said ?? (state ? `${type}: ${state}` : type),
      ),
    }
  }

  for (const version of SDK_VERSIONS) {
    it(`${version} is answered, and answered anew`, () => {
      expect(seenIn(`answers ${version}`, `plain-answers-${version}`)).to.deep.equal({
        count: 2,
        asked: 2,
        status: 'ready',
        error: undefined,
        parts: ['step-start', 'Hello again.'],
      })
    })

    it(`${version} resumes by reading the message from its start`, () => {
      const seen = { count: 2, asked: 0, status: 'ready', error: undefined }
      const message = { ...seen, parts: ['step-start', 'Hello.'] }
      expect(seenIn(`resumes ${version}`, 'none')).to.deep.equal(message)
      if (version > 5) expect(seenIn(`goes on ${version}`, 'none')).to.deep.equal(message)
    })

    it(`${version} answers a call of a tool of its own, and is answered in the same message`, () => {
      expect(seenIn(`calls ${version}`, `mine-calls-${version}`)).to.deep.equal({
        count: 2,
        asked: 2,
        status: 'ready',
        error: undefined,
        parts: ['step-start', 'tool-locate: output-available', 'step-start', 'It is warm.'],
      })
      expect(answers.get(`calls ${version}`)?.toolCalls).to.deep.equal(['locate'])
      const [, second] = requests.filter(({ chat }) => chat === `mine-calls-${version}`)
      expect(second?.request.messages.slice(1)).to.deep.equal([
        {
          id: second?.request.messages[1]?.id,
          role: 'assistant',
          metadata: second?.request.messages[1]?.metadata,
          parts: [{ type: 'tool-call', callId: 'c1', name: 'locate', input: INPUT }],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool-result', callId: 'c1', name: 'locate', output: { lat: 41.9 } }],
        },
      ])
    })

    it(`${version} answers an approval by a data part`, () => {
      const { parts, ...seen } = seenIn(
        `approves by data ${version}`,
        `approval-approves by data-${version}`,
      )
      expect(seen).to.deep.equal({ count: 4, asked: 2, status: 'ready', error: undefined })
      expect(parts).to.include('dynamic-tool: output-available').and.include('It is booked.')
    })

    it(`${version} is told of an error by its code, and of a request that is refused by its place`, () => {
      expect(seenIn(`fails ${version}`, `broken-fails-${version}`).error).to.equal(
        'The model API is overloaded. (OVERLOADED)',
      )
      const { error = '' } = seenIn(`refuses ${version}`, `refused-refuses-${version}`)
      expect(JSON.parse(error)).to.include({ code: 'REQUEST_INVALID', pointer: '/messages' })
    })

    if (version === 5) continue

    it(`${version} approves a call, and is answered in the same message`, () => {
      expect(seenIn(`approves ${version}`, `approval-approves-${version}`)).to.deep.equal({
        count: 2,
        asked: 2,
        status: 'ready',
        error: undefined,
        parts: ['step-start', 'dynamic-tool: output-available', 'step-start', 'It is booked.'],
      })
    })

    it(`${version} denies a call, and is answered in the same message`, () => {
      expect(seenIn(`denies ${version}`, `approval-denies-${version}`)).to.deep.equal({
        count: 2,
        asked: 2,
        status: 'ready',
        error: undefined,
        parts: ['step-start', 'dynamic-tool: output-denied', 'step-start', 'I did not book it.'],
      })
    })
  }
})
