import { expect } from 'chai'
import { type Message, textOf } from '../../../../src/core/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import {
  SDK_VERSIONS,
  type SdkVersion,
  toUiMessages,
  UI_MESSAGE_STREAM_HEADERS,
  uiMessageEncoder,
} from '../../../../src/server/wire/ui-message-stream/index.ts'
import { ApiServer } from '../api-server.ts'
import { type RecordedRun, recordedRuns } from '../recorded-runs.ts'
import { askClients, type ClientAnswer, type ClientMessage, needsClients } from './chat-clients.ts'
import { UiMessageStreamChecker } from './checker.ts'

/** By version: what all take, and what that one takes. */
const WAYS = SDK_VERSIONS.flatMap((version) => [
  { version, sdk: undefined },
  { version, sdk: version },
])

describe('recorded answers in the chat clients of the AI SDK', () => {
  let runs: readonly RecordedRun[]
  let server: ApiServer
  let answers: ReadonlyMap<string, ClientAnswer>

  before(async function () {
    needsClients(this)
    this.timeout(120_000)
    runs = await recordedRuns()
    server = await new ApiServer(({ path }) => {
      const url = new URL(path, server.url)
      const sdk = Number(url.searchParams.get('sdk')) as SdkVersion
      const recorded = runs[Number(url.searchParams.get('run'))]!
      return { headers: UI_MESSAGE_STREAM_HEADERS, pieces: framesOf(recorded, sdk || undefined) }
    }).start()
    const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
    const jobs = runs.flatMap((_, at) =>
      WAYS.map(({ version, sdk }) => {
        const url = `${server.url}/?run=${at}${sdk ? `&sdk=${sdk}` : ''}`
        const name = nameOf(at, version, sdk)
        return { kind: 'read', name, version, url, id: 'c1', messages } as const
      }),
    )
    answers = await askClients(jobs)
  })
  after(() => server?.close())

  for (const { version, sdk } of WAYS) {
    const written = sdk ? `for ${sdk}` : 'for all'
    it(`${version} makes of what is written ${written} the message that the history makes`, function () {
      let equal = 0
      for (const [at, recorded] of runs.entries()) {
        const { message, faults, errors, thrown } = answers.get(nameOf(at, version, sdk))!
        expect({ thrown, faults, errors: errors?.map(codeIn) }, recorded.name).to.deep.equal({
          thrown: undefined,
          faults: [],
          errors: errorsOf(recorded),
        })
        if (recorded.result.status !== 'done') continue
        const { messages } = recorded.result
        const [expected] = toUiMessages(messages, {
          factsOf: () => factsOf(recorded),
          ...(sdk ? { sdk } : {}),
        })
        expect(asKept(message!, version), recorded.name).to.deep.equal(
          asKept(expected as ClientMessage, version),
        )
        expect(saidIn(message!), recorded.name).to.deep.equal(saidBy(messages))
        equal++
      }
      this.test!.title += ` (${equal} answers)`
    })
  }

  function framesOf(recorded: RecordedRun, sdk: SdkVersion | undefined): string[] {
    const options = sdk ? { sdk } : {}
    const encoder = uiMessageEncoder(factsOf(recorded), options)
    const checker = new UiMessageStreamChecker(options)
    const frames = recorded.events.map((event) => encoder.encode(event))
    for (const frame of frames) checker.check(frame)
    checker.end()
    return frames.filter((frame) => frame !== '')
  }
})

function nameOf(at: number, version: number, sdk: number | undefined): string {
  return `${at} ${version} ${sdk}`
}

function factsOf({ result }: RecordedRun): RunFacts {
  const { runId } = result
  const about = { messageId: `message-of-${runId}`, agent: 'published', createdAt: 1 }
  return { runId, ...about, clientTools: new Set() }
}

function errorsOf({ result }: RecordedRun): readonly string[] {
  return result.error ? [result.error.code] : []
}

function codeIn(error: string): string {
  return /\((\w+)\)$/.exec(error)?.[1] ?? error
}

/** The client of version 5 drops what a provider said of a file. */
function asKept({ parts, ...message }: ClientMessage, version: SdkVersion): object {
  const kept = parts.map(({ providerMetadata, ...part }) =>
    version === 5 && part.type === 'file' ? part : { ...part, providerMetadata },
  )
  return plain({ ...message, parts: kept }) as object
}

/** As JSON, without what is not told. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

/** What was said, read without help of what is tested. */
function saidIn({ parts, metadata }: ClientMessage) {
  const textsOf = (type: string) =>
    parts.map((part) => (part.type === type ? String(part['text']) : '')).join('')
  return {
    text: textsOf('text'),
    reasoning: textsOf('reasoning'),
    calls: parts.flatMap(({ type, toolName: name, input }) =>
      type === 'dynamic-tool' ? [{ name, input }] : [],
    ),
    usage: metadata?.['usage'],
  }
}

/** A result whose call stands in an earlier answer is told of with a call. */
function saidBy(messages: readonly Message[]) {
  const answers = messages.filter(({ role }) => role === 'assistant')
  const parts = answers.flatMap((message) => message.parts)
  const ids = new Set(parts.map((part) => part.type === 'tool-call' && part.callId))
  return {
    text: answers.map(textOf).join(''),
    reasoning: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: parts.flatMap((part) => {
      if (part.type === 'tool-call') return [{ name: part.name, input: part.input }]
      const isStray = part.type === 'tool-result' && !ids.has(part.callId)
      return isStray ? [{ name: part.name, input: {} }] : []
    }),
    usage: usageOf(answers),
  }
}

function usageOf(answers: readonly Message[]): unknown {
  const [{ raw: _, ...usage } = {}] = answers.map(({ metadata }) => metadata?.usage ?? {})
  return usage
}
