import { expect } from 'chai'
import {
  memoryStorage,
  type RunAnswer,
  type RunOptions,
  type RunResult,
  run,
  type StoredRun,
  systemEnvironment,
} from '../../src/agent/index.ts'
import { withOtherUsage } from '../../src/agent/run-log/ending.ts'
import { RunLog } from '../../src/agent/run-log/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import {
  Accumulator,
  addUsage,
  EventChecker,
  isEnding,
  type Message,
  type RunEvent,
  type Usage,
} from '../../src/plugin/events/index.ts'
import { factFaults } from '../helpers/fact-schemas.ts'

const OWNER = 'ada'
const CONVERSATION = 'talk'
const ID = 'run-1'

/** A run that was recorded in a storage: what it told, what it returned, and what is stored. */
export interface RecordedRun {
  readonly run: StoredRun
  readonly events: readonly RunEvent[]
  readonly result: RunResult
  readonly answers: readonly RunAnswer[]
  /** The messages that the run added to its conversation. */
  readonly stored: readonly Message[]
}

/** Runs with a storage, as a server does. */
export async function recordedRun(host: Host, options: Partial<RunOptions>): Promise<RecordedRun> {
  const storage = memoryStorage()
  const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
  await storage.conversations.create(
    { id: CONVERSATION, owner: OWNER, agent: 'a', sender: OWNER },
    1,
  )
  const answers: RunAnswer[] = []
  let result: Promise<RunResult> | undefined
  await log.start({
    run: { id: ID, owner: OWNER, order: {}, conversationId: CONVERSATION },
    open: (_stored, { committed, signal, late }) => {
      const stream = run(host, {
        messages: 'go',
        runId: ID,
        committed,
        signal,
        late,
        onAnswer: (answer) => answers.push(answer),
        ...options,
      })
      result = stream.result
      return stream
    },
  })
  const events: RunEvent[] = []
  for await (const page of log.read(OWNER, ID)) events.push(...page)
  const ended = (await result) ?? expect.fail('the run did not begin')
  await log.close()
  const entries = await storage.conversations.entries(OWNER, CONVERSATION)
  const stored = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
  const kept = (await storage.runs.load(OWNER, ID)) ?? expect.fail('the run is not stored')
  return { run: kept, events, result: ended, answers, stored }
}

/** Checks that the state of a run, its history and its events agree, however it ended. */
export function expectAgreement({ run, events, result, answers, stored }: RecordedRun): void {
  const checker = new EventChecker('run')
  const accumulator = new Accumulator()
  for (const event of events) {
    checker.check(event)
    accumulator.add(event)
  }
  expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index))
  expect(events.filter(isEnding).map(({ type }) => type)).to.deep.equal([ENDINGS[result.status]])
  expect(accumulator.messages()).to.deep.equal(withContent(result.messages))
  const kept = withOtherUsage(result.messages, result.usage, untoldIn(result))
  expect(stored.slice(0, result.messages.length).map(withoutIds)).to.deep.equal(
    withContent(kept).map(withoutIds),
  )
  expect(result.usage).to.deep.equal(sumOf(answers.map((answer) => answer.result.usage)))
  expectTries(events, answers)
  expectPairs(stored)
  expect(factFaults(run, events)).to.deep.equal([])
}

/** The usage of an answer that ended before its text: it is neither in a message nor in an event. */
function untoldIn({ status, messages }: RecordedRun['result']): Usage {
  const last = messages.at(-1)
  const isEmpty = last !== undefined && withContent([last]).length === 0
  return status !== 'done' && isEmpty ? (last.metadata?.usage ?? {}) : {}
}

const ENDINGS = { done: 'finish', failed: 'error', aborted: 'abort' } as const

/** Each failed request is told once, and a reset follows it if its output was shown and does not count. */
function expectTries(events: readonly RunEvent[], answers: readonly RunAnswer[]): void {
  for (const [index, event] of events.entries()) {
    const next = events[index + 1]
    if (event.type === 'step-reset') expect(events[index - 1]?.type).to.equal('model-failed')
    if (event.type !== 'model-failed') continue
    const isReset = event.isShown && event.next !== 'end'
    expect(next?.type === 'step-reset', `after ${JSON.stringify(event)}`).to.equal(isReset)
    if (event.next === 'end') expect(next?.type).to.equal('error')
  }
  const told = events.filter(({ type }) => type === 'model-failed' || type === 'step-finish')
  const refused = events.filter(
    (event) => event.type === 'model-failed' && event.error.code === 'CIRCUIT_OPEN',
  )
  const cancelled = answers.filter(({ result }) => result.status === 'aborted')
  if (told.some(({ type }) => type === 'model-failed')) {
    expect(told).to.have.length(answers.length + refused.length - cancelled.length)
  }
}

/** Each call of the history has a result, and each result a call. */
function expectPairs(messages: readonly Message[]): void {
  const parts = messages.flatMap((message) => message.parts)
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))
  expect(results.toSorted()).to.deep.equal(calls.toSorted())
}

function withContent(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ parts }) => parts.length > 0)
}

function withoutIds({ id: _, ...message }: Message): object {
  return message
}

function sumOf(usages: readonly Usage[]): Usage {
  return usages.reduce((sum: Usage, usage) => addUsage(sum, usage), {})
}
