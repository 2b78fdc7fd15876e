import { channel } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import type { StoredRun } from '@braidwork/agent'
import { HostError, type Log, type RunEvent } from '@braidwork/plugin'
import { messageOf, toMissingPackage } from '@braidwork/plugin/internal'
import type { TelemetrySettings } from '../options/index.ts'
import type { Api } from './attributes.ts'
import { RunMeters } from './run-meters.ts'
import { RunSpans, type SpanParts } from './run-spans.ts'

/** The channel of `node:diagnostics_channel` on which each stored event is published, with its run. */
const CHANNEL = 'braidwork:run-event'

type ReadLeg = (signal: AbortSignal) => AsyncIterable<readonly RunEvent[]>

interface TelemetryParts {
  readonly log: Log
  /** Absent where `@opentelemetry/api` is not installed. */
  readonly spans?: SpanParts
}

/**
 * Tells OpenTelemetry, and the subscribers of a channel, what the stored events of runs tell. It reads a leg when
 * its work is over, so that it slows no run, and keeps none alive that nobody else reads.
 */
export class Telemetry {
  readonly #parts: TelemetryParts
  readonly #channel = channel(CHANNEL)
  readonly #closing = new AbortController()
  readonly #work = new Set<Promise<void>>()

  private constructor(parts: TelemetryParts) {
    this.#parts = parts
    setMaxListeners(0, this.#closing.signal)
  }

  static async create({ content = false }: TelemetrySettings, log: Log): Promise<Telemetry> {
    const api = await openTelemetry()
    if (!api) return new Telemetry({ log })
    const spans = { api, meters: new RunMeters(api), hasContent: content }
    return new Telemetry({ log, spans })
  }

  /**
   * Tells a leg of a run. Its span belongs to the span that is active, such as that of the request that began the leg.
   * Resolves when the leg is told. @param read reads the events of the leg as they are stored, to its end
   */
  tell(run: StoredRun, read: ReadLeg): Promise<void> {
    const work = this.#read(run, read(this.#closing.signal))
      .catch((error: unknown) => {
        const message = `The telemetry of a run failed: ${messageOf(error)}`
        this.#parts.log({ level: 'warn', message, runId: run.id })
      })
      .finally(() => this.#work.delete(work))
    this.#work.add(work)
    return work
  }

  /** Waits until the runs that have ended are told. */
  async close(): Promise<void> {
    await Promise.all(this.#work)
    this.#closing.abort()
  }

  async #read(run: StoredRun, pages: ReturnType<ReadLeg>): Promise<void> {
    const { spans: parts } = this.#parts
    const spans = parts && new RunSpans(run, parts, parts.api.context.active())
    for await (const page of pages) {
      for (const event of page) {
        spans?.add(event)
        this.publish(run, event)
      }
    }
  }

  /** Tells the subscribers of the channel a stored event of a run. */
  publish({ id, owner, conversationId }: StoredRun, event: RunEvent): void {
    if (!this.#channel.hasSubscribers) return
    this.#channel.publish({ run: { id, owner, conversationId }, event })
  }
}

/** The API of OpenTelemetry, if it is installed. @throws what importing it throws, if it is there and broken */
async function openTelemetry(): Promise<Api | undefined> {
  try {
    return await import('@opentelemetry/api')
  } catch (error) {
    const known = toMissingPackage(error, 'The server needs')
    if (HostError.is(known) && known.code === 'PACKAGE_MISSING') return undefined
    throw error
  }
}
