import { expect } from 'chai'
import { type Message, type Part, textOf } from '../../../../src/core/index.ts'
import type { ToolCallPart, ToolResultPart } from '../../../../src/plugin/events/index.ts'
import {
  AG_UI_HEADERS,
  agUiEncoder,
  decodeAgUiRequest,
} from '../../../../src/server/wire/ag-ui/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import { outputTextOf } from '../../../../src/server/wire/tool-output.ts'
import { needsPeer } from '../../../helpers/peer-scripts.ts'
import { ApiServer } from '../api-server.ts'
import { type RecordedRun, recordedRuns } from '../recorded-runs.ts'
import { askClient, type ClientMessage, type ThreadSeen } from './ag-ui-clients.ts'
import { AgUiChecker } from './checker.ts'

const HELLO = { id: 'u1', role: 'user', content: 'Hello' }

describe('recorded answers in the client of AG-UI', () => {
  let runs: readonly RecordedRun[]
  let server: ApiServer
  let seen: ReadonlyMap<string, ThreadSeen>

  before(async function () {
    needsPeer(this, '@ag-ui/client')
    this.timeout(120_000)
    runs = await recordedRuns()
    server = await new ApiServer(({ body }) => {
      const { clientRunId, conversationId } = decodeAgUiRequest(body)
      const recorded = runs[Number(conversationId)]!
      return { headers: AG_UI_HEADERS, pieces: framesOf(recorded, clientRunId) }
    }).start()
    const jobs = runs.map((_, at) => {
      const threadId = String(at)
      return { name: threadId, threadId, url: server.url, runs: [{ add: [HELLO] }] }
    })
    seen = await askClient(jobs)
  })
  after(() => server?.close())

  it('say the same, and are taken without a word', function () {
    let equal = 0
    for (const [at, recorded] of runs.entries()) {
      const { faults, warnings, errors, messages, outcomes } = seen.get(String(at))!
      const { status, error, messages: said, usage } = recorded.result
      expect({ faults, warnings }, recorded.name).to.deep.equal({ faults: [], warnings: [] })
      if (status !== 'done') {
        expect(
          errors.map(({ code }) => code),
          recorded.name,
        ).to.deep.equal([error?.code])
        continue
      }
      expect(errors, recorded.name).to.deep.equal([])
      expect(saidIn(messages), recorded.name).to.deep.equal(saidBy(said))
      expect(usageIn(outcomes), recorded.name).to.deep.equal({
        inputTokens: usage.input,
        outputTokens: usage.output,
        reasoningTokens: usage.reasoning,
        cachedInputTokens: usage.cacheRead,
      })
      equal++
    }
    this.test!.title += ` (${equal} answers)`
  })

  it('come back as they were, with what their providers said of them', () => {
    for (const [at, { name, result }] of runs.entries()) {
      if (result.status !== 'done') continue
      const { messages } = seen.get(String(at))!
      const body = { threadId: 't', runId: 'r', messages }
      const { messages: back } = decodeAgUiRequest(JSON.parse(JSON.stringify(body)))
      expect(kept(back.slice(1)), name).to.deep.equal(kept(result.messages))
    }
  })
})

function framesOf(recorded: RecordedRun, clientRunId: string): string[] {
  const encoder = agUiEncoder(factsOf(recorded), { clientRunId })
  const checker = new AgUiChecker()
  const frames = recorded.events.map((event) => encoder.encode(event))
  for (const frame of frames) checker.check(frame)
  checker.end()
  return frames.filter((frame) => frame !== '')
}

function factsOf({ result }: RecordedRun): RunFacts {
  const { runId } = result
  const about = { messageId: 'answer', agent: 'published', createdAt: 1, conversationId: 't' }
  return { runId, ...about, clientTools: new Set() }
}

function saidIn(messages: readonly ClientMessage[]) {
  const textsOf = (role: string) =>
    messages.map((message) => (message.role === role ? (message.content ?? '') : '')).join('')
  return {
    text: textsOf('assistant'),
    reasoning: textsOf('reasoning'),
    calls: messages.flatMap(({ toolCalls = [] }) =>
      toolCalls.map(({ id, function: { name, arguments: text } }) => ({
        id,
        name,
        input: parsed(text),
      })),
    ),
    results: messages.filter(({ role }) => role === 'tool').map(({ toolCallId }) => toolCallId),
  }
}

function saidBy(messages: readonly Message[]) {
  const answers = messages.filter(({ role }) => role === 'assistant')
  const parts = messages.flatMap((message) => message.parts)
  return {
    text: answers.map(textOf).join(''),
    reasoning: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: parts.flatMap((part) => {
      const { callId: id = '', name = '' } = 'callId' in part ? part : {}
      if (part.type === 'tool-call') return [{ id, name, input: inputOf(part) }]
      return part.type === 'tool-result' && isStray(part, parts) ? [{ id, name, input: {} }] : []
    }),
    results: parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])),
  }
}

function usageIn(outcomes: ThreadSeen['outcomes']) {
  const [{ usage } = {}] = outcomes
  const [counted = {}] = (usage ?? []) as { readonly [count: string]: number }[]
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = counted
  return { inputTokens, outputTokens, reasoningTokens, cachedInputTokens }
}

/** A result whose call stands in an earlier answer is told of with a call. */
function isStray({ callId }: ToolResultPart, parts: readonly Part[]): boolean {
  return !parts.some((part) => part.type === 'tool-call' && part.callId === callId)
}

/** Arguments are texts: one that is JSON is not told from what it stands for. */
function inputOf({ input }: ToolCallPart): unknown {
  return typeof input === 'string' ? parsed(input) : input
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * What the protocol has a word for: no files, sources and data, no metadata of messages; results are texts,
 * and a provider's stand where their message ends.
 */
function kept(messages: readonly Message[]) {
  const parts = messages.flatMap((message) => message.parts)
  const told = messages.map(({ role, parts: own }) => ({
    role,
    parts: own.flatMap((part): object[] => {
      if (part.type === 'tool-call') return [{ ...part, input: inputOf(part) }]
      if (part.type === 'reasoning') return [part]
      if (part.type === 'tool-result' && isStray(part, parts)) {
        const { callId, name, providerExecuted } = part
        return [{ type: 'tool-call', callId, name, input: {}, providerExecuted }]
      }
      return part.type === 'text' && (part.text !== '' || part.providerMetadata) ? [part] : []
    }),
  }))
  const results = parts.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    // What the host knows of a failure is not taken back from a client.
    const { error: _, ...own } = part
    return [{ ...own, output: outputTextOf(part) }]
  })
  const all = { told: told.filter((message) => message.parts.length > 0), results }
  return JSON.parse(JSON.stringify(all)) as unknown
}
