import { setImmediate } from 'node:timers/promises'
import { type Environment, systemEnvironment } from '../../src/agent/index.ts'
import type { PartialEvent } from '../../src/plugin/events/index.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import { textEvents } from '../helpers/hosts.ts'
import { eventProvider } from '../helpers/plugins.ts'

/** What a provider throws. */
export interface Thrown {
  readonly code: string
  readonly status?: number
  readonly retryable?: boolean
  readonly retryAfter?: number
}

/** One answer of a provider: its events, and then an error or silence. */
export interface Play {
  readonly events?: readonly PartialEvent[]
  readonly error?: Thrown
  readonly isSilent?: boolean
  /** Called as the silence begins. */
  readonly onSilence?: () => void
}

export const OVERLOADED = { code: 'OVERLOADED', status: 529, retryable: true } as const
export const CUT = { code: 'STREAM_INTERRUPTED', retryable: true } as const
export const REFUSED = { code: 'INVALID_REQUEST', status: 400, retryable: false } as const

export const ANSWER: Play = { events: textEvents('fine') }

/** A provider that plays these answers in order, the last one again and again. It counts its requests. */
export class Flaky {
  readonly plays: readonly Play[]
  requests = 0

  constructor(...plays: readonly Play[]) {
    this.plays = plays
  }

  plugin(name = 'p', more: object = {}): AnyPlugin {
    const play = (signal: AbortSignal) => this.#play(signal)
    const stream = (_native: unknown, _state: unknown, { signal }: { signal: AbortSignal }) =>
      play(signal)
    return { ...eventProvider([], { name, ...more }), stream }
  }

  async *#play(signal: AbortSignal): AsyncGenerator<PartialEvent> {
    const play = this.plays[Math.min(this.requests, this.plays.length - 1)]
    this.requests++
    const { events = [], error, isSilent = false, onSilence } = play ?? {}
    yield* events
    if (isSilent) {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', reject)
        onSilence?.()
      })
    }
    if (error) throw Object.assign(new Error('it failed'), error)
  }
}

/** Time that passes at once, and the waits that were asked for. */
export class QuickTime {
  readonly waits: number[] = []
  #now = 1_000_000_000_000

  /** Called before each wait. */
  onWait: () => void = () => undefined

  readonly environment: Environment = {
    ...systemEnvironment,
    now: () => this.#now,
    elapsed: () => this.#now,
    sleep: async (milliseconds, signal) => {
      this.waits.push(milliseconds)
      this.onWait()
      await setImmediate()
      signal?.throwIfAborted()
      this.pass(milliseconds)
    },
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds
  }
}
