import { type EventSource, EventStream, linkSignals, type Sink } from '@braidwork/core/internal'
import {
  Accumulator,
  EventChecker,
  type Message,
  type PartialEvent,
  type RunEventBody,
  toMessages,
} from '@braidwork/plugin'
import { systemEnvironment } from '../environment.ts'
import type { RunStream } from '../loop.ts'
import { assertIdentity, assertInScope } from '../policy/index.ts'
import { endingAfter, endingEvent, isEmpty } from '../run-endings.ts'
import type { RunOptions } from '../run-options.ts'
import { RunRecord, startOf } from '../run-record.ts'
import type { RunEnding, RunResult } from '../run-result.ts'
import type { RemoteAgent } from './backend.ts'
import { assertCapable } from './needs.ts'

/**
 * Runs a remote agent: one step, whose answer the backend brings. What the backend cannot do, and what goes wrong there,
 * is the ending of the run. AW-03
 */
export function remoteRun(remote: RemoteAgent, options: RunOptions): RunStream {
  const { environment = systemEnvironment, resume, runId } = options
  const position = resume ?? { runId: runId ?? environment.newId('run'), seq: 0, steps: 0 }
  const record = new RunRecord(position, environment)
  return new EventStream(new RemoteRun(remote, options, record), record.observedBy(options.onEvent))
}

const NO_USAGE = {}

class RemoteRun implements EventSource<RunEventBody, RunResult> {
  readonly #remote: RemoteAgent
  readonly #options: RunOptions
  readonly #record: RunRecord
  readonly #cancel = new AbortController()
  readonly #answer = new Accumulator()
  readonly #checker = new EventChecker()
  #isClosed = false
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
      const reason = isEmpty(answer) ? 'no_action' : 'natural_end'
      return await this.#end({ status: 'done', finishReason: 'stop', termination: { reason } })
    } catch (error) {
      return await this.#end(endingAfter(error, signal))
    } finally {
      unlink()
    }
  }

  async #ask(): Promise<readonly Message[]> {
    const { backend, warnings = [] } = this.#remote
    const { conversationId: conversationKey, environment = systemEnvironment } = this.#options
    const { identity } = this.#options
    if (identity !== undefined) assertIdentity('run', '/identity', identity)
    assertInScope(identity, environment.now())
    const requestId = this.#record.newRequestId()
    for (const warning of warnings) this.#record.warn(warning)
    await this.#sink([startOf(this.#options, requestId)])
    const messages = toMessages(this.#options.messages)
    assertCapable(this.#remote, this.#options, messages)
    const step = this.#record.beginStep()
    await this.#sink([{ type: 'step-start', step, requestId }])
    const warn = (warning: string) => this.#record.warn(warning)
    const order = { messages, conversationKey, warn, signal: this.#cancel.signal }
    for await (const events of backend.ask(order)) await this.#take(events)
    const answer = await this.#close()
    const stepEnd = { step, finishReason: 'stop', usage: NO_USAGE, messages: answer } as const
    await this.#sink([{ type: 'step-finish', ...stepEnd }])
    return answer
  }

  /** Passes events on, up to the first that is none of an answer. @throws {HostError} EVENTS_INVALID */
  async #take(events: readonly PartialEvent[]): Promise<void> {
    const sound: PartialEvent[] = []
    try {
      for (const event of events) {
        this.#checker.check(event, 'plugin')
        this.#answer.add(event)
        sound.push(event)
      }
    } finally {
      if (sound.length > 0) await this.#sink(sound)
    }
  }

  /** Closes what is open, and keeps the answer. */
  async #close(): Promise<readonly Message[]> {
    if (this.#isClosed) return this.#answer.messages()
    this.#isClosed = true
    await this.#take(this.#checker.closing())
    const messages = this.#answer.messages()
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
