import type { RunEvent } from '@braidwork/plugin'
import { type RunFacts, type StreamEncoder, sseData, type WireAnswer } from '../index.ts'
import { updateIn } from './spelling.ts'
import type { A2aUpdate } from './task.ts'
import { TaskView } from './task-view.ts'
import type { A2aVersion } from './version.ts'

/** The id of a JSON-RPC request, which its answer repeats. */
export type RpcId = string | number | null

/** How the answers of a request are written. */
export interface A2aFormat {
  readonly version: A2aVersion
  /** The id of the JSON-RPC request. Absent in the binding HTTP+JSON. */
  readonly rpcId?: RpcId
}

export interface A2aStreamOptions extends A2aFormat {
  /**
   * The sequence number of the last event that the task at the beginning of the stream contains. The default is -1: the
   * stream has the whole run.
   */
  readonly until?: number
  /** Whether the run goes on after that event: what a task waited for has then been answered. */
  readonly goesOn?: boolean
  /** The approvals that are answered while the run waits for others. The default is none. */
  readonly answered?: readonly string[]
}

/** Whether clients can discard the content of a step: an artifact may take the place of an earlier one. AW-26 */
export const A2A_CAN_RESET = true

/** Encodes a run as the updates of a task. The first is the task itself. */
export function a2aEncoder(facts: RunFacts, options: A2aStreamOptions): StreamEncoder {
  return new A2aEncoder(facts, options)
}

class A2aEncoder implements StreamEncoder {
  readonly #view: TaskView
  readonly #options: A2aStreamOptions
  readonly #until: number
  #isBegun = false

  constructor(facts: RunFacts, options: A2aStreamOptions) {
    this.#view = new TaskView(facts)
    this.#options = options
    this.#until = options.until ?? -1
  }

  encode(event: RunEvent): string {
    // The server's own error at the end of a stream has no number.
    const isKnown = event.seq >= 0 && event.seq <= this.#until
    if (isKnown) {
      this.#view.add(event)
      return event.seq === this.#until ? this.#begin() : ''
    }
    return (
      this.#begin() +
      this.#view
        .add(event)
        .map((update) => this.#frame(update))
        .join('')
    )
  }

  #begin(): string {
    if (this.#isBegun) return ''
    this.#isBegun = true
    this.#view.answered(this.#options.answered ?? [])
    if (this.#options.goesOn) this.#view.goOn()
    return this.#frame({ task: this.#view.task })
  }

  #frame(update: A2aUpdate): string {
    const { version } = this.#options
    return sseData(JSON.stringify(enveloped(this.#options, updateIn(version, update))))
  }
}

/** Formats a result that is no stream. */
export function a2aResult(format: A2aFormat, result: unknown): WireAnswer {
  return { status: 200, headers: {}, body: enveloped(format, result) }
}

function enveloped({ rpcId }: A2aFormat, result: unknown): unknown {
  return rpcId === undefined ? result : { jsonrpc: '2.0', id: rpcId, result }
}
