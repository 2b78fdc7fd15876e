import { type EventSource, EventStream, linkSignals, type Sink } from '@braidwork/core/internal'
import {
  Accumulator,
  EventChecker,
  HostError,
  type Message,
  type PartialEvent,
  type RunEventBody,
  toMessages,
} from '@braidwork/plugin'
import { answeredCalls, requirementOf, resolutionOf } from '../approvals.ts'
import { assertRunKinds } from '../assert-run-options.ts'
import { systemEnvironment } from '../environment.ts'
import { isInterruption } from '../interruption.ts'
import { assertInScope } from '../policy/index.ts'
import { refusedRun } from '../refused-run.ts'
import { endingAfter, endingEvent, naturalEnd, SUSPENDED } from '../run-endings.ts'
import type { RunOptions } from '../run-options.ts'
import { RunRecord, startOf } from '../run-record.ts'
import type { RunEnding, RunResult, RunStream } from '../run-result.ts'
import type { RemoteAgent } from './backend.ts'
import { assertCapable } from './needs.ts'
import { answerTo, remoteQuestion } from './remote-question.ts'

/**
 * Runs a remote agent: one step, whose answer the backend brings. What the backend cannot do, and what goes wrong there,
 * is the ending of the run. AW-03
 */
export function remoteRun(remote: RemoteAgent, options: RunOptions): RunStream {
  const refused = refusedRun(options, assertRunKinds)
  if (refused) return refused
  const record = RunRecord.of(options)
  return new EventStream(new RemoteRun(remote, options, record), record.observedBy(options.onEvent))
}

const NO_USAGE = {}

class RemoteRun implements EventSource<RunEventBody, RunResult> {
  readonly #remote: RemoteAgent
  readonly #options: RunOptions
  readonly #record: RunRecord
  readonly #cancel = new AbortController()
  #said = new Accumulator()
  #checker = new EventChecker()
  #isClosed = false
  #isAsking = false
  #sink: Sink<readonly RunEventBody[]> = () => undefined

  constructor(remote: RemoteAgent, options: RunOptions, record: RunRecord) {
    this.#remote = remote
    this.#options = options
    this.#record = record
  }

  cancel(reason: string): void {
    this.#cancel.abort(reason)
  }

  async run(sink: Sink<readonly RunEventBody[]>): Promise<RunResult> {
    this.#sink = sink
    const { signal } = this.#cancel
    let unlink: () => void = () => undefined
    try {
      unlink = linkSignals([this.#options.signal], this.#cancel)
      const answer = await this.#ask()
      signal.throwIfAborted()
      return await this.#end(await this.#endingOf(answer))
    } catch (error) {
      return await this.#end(endingAfter(error, signal))
    } finally {
      unlink()
    }
  }

  async #ask(): Promise<readonly Message[]> {
    const { backend, warnings = [] } = this.#remote
    const { conversationId: conversationKey, canReset = true } = this.#options
    const { environment = systemEnvironment } = this.#options
    assertInScope(this.#options.identity, environment.now())
    const requestId = this.#record.newRequestId()
    for (const warning of warnings) this.#record.warn(warning)
    await this.#sink([startOf(this.#options, requestId)])
    const messages = toMessages(this.#options.messages)
    assertCapable(this.#remote, this.#options, messages)
    const given = await this.#answer(messages)
    const step = this.#record.beginStep()
    await this.#sink([{ type: 'step-start', step, requestId }])
    const warn = (warning: string) => this.#record.warn(warning)
    const onQuestion = () => {
      this.#isAsking = true
    }
    const restart = canReset ? () => this.#restart(step) : undefined
    const own = { conversationKey, warn, onQuestion, restart, signal: this.#cancel.signal }
    const order = { messages: [...messages, ...given], isAnswer: given.length > 0, ...own }
    for await (const events of backend.ask(order)) await this.#take(events)
    const answer = await this.#close()
    const stepEnd = { step, finishReason: 'stop', usage: NO_USAGE, messages: answer } as const
    await this.#sink([{ type: 'step-finish', ...stepEnd }])
    return answer
  }

  /** The message with the answer to the question for which a run waited. @throws {HostError} ABORTED if nobody answers it */
  async #answer(messages: readonly Message[]): Promise<readonly Message[]> {
    const { resume, environment = systemEnvironment } = this.#options
    if (!resume || isInterruption(resume)) return []
    const answered = answeredCalls(resume, environment.now())
    await this.#sink(answered.map(resolutionOf))
    const refused = answered.find(({ approved }) => !approved)
    if (!refused) return [answerTo(answered)]
    await this.#remote.backend.abandon?.({ messages })
    const { reason = 'The question was not answered.' } = refused
    throw new HostError('ABORTED', reason)
  }

  /** How the run ends after an answer. Where the agent asks something, a child run waits; of a root, it is the answer. */
  async #endingOf(answer: readonly Message[]): Promise<RunEnding> {
    const { parent, canAsk = true, environment = systemEnvironment } = this.#options
    const { id, backend } = this.#remote
    if (!this.#isAsking || !parent || !backend.capabilities.answers) {
      return { status: 'done', finishReason: 'stop', termination: naturalEnd(answer) }
    }
    const approval = remoteQuestion(id, answer, environment)
    this.#record.suspend([approval])
    await this.#sink([requirementOf(approval)])
    // The agent above is told what was asked. Nobody will answer it.
    if (!canAsk) await backend.abandon?.({ messages: answer })
    return { status: 'done', finishReason: 'tool-calls', termination: SUSPENDED }
  }

  /** Passes events on, up to the first that is none of an answer. @throws {HostError} EVENTS_INVALID */
  async #take(events: readonly PartialEvent[]): Promise<void> {
    const sound: PartialEvent[] = []
    try {
      for (const event of events) {
        this.#checker.check(event, 'plugin')
        this.#said.add(event)
        sound.push(event)
      }
    } finally {
      if (sound.length > 0) await this.#sink(sound)
    }
  }

  /** Takes back what the answer has shown. Its readers are told. */
  async #restart(step: number): Promise<void> {
    this.#said = new Accumulator()
    this.#checker = new EventChecker()
    const reason = 'The remote agent began its answer anew.'
    await this.#sink([{ type: 'step-reset', step, reason }])
  }

  /** Closes what is open, and keeps the answer. */
  async #close(): Promise<readonly Message[]> {
    if (this.#isClosed) return this.#said.messages()
    this.#isClosed = true
    await this.#take(this.#checker.closing())
    const messages = this.#said.messages()
    for (const message of messages) this.#record.addMessage(message)
    return messages
  }

  async #end(ending: RunEnding): Promise<RunResult> {
    if (ending.status !== 'done') await this.#close()
    this.#options.steering?.end()
    const result = this.#record.result(ending)
    await this.#sink([endingEvent(ending, result)])
    return result
  }
}
