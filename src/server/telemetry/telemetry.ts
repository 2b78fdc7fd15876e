import { channel } from 'node:diagnostics_channel'
import type { StoredRun } from '@braidwork/agent'
import { allowListeners } from '@braidwork/core/internal'
import { HostError, type Log, type RunEvent } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { TelemetrySettings } from '../options/index.ts'
import type { Api } from './api.ts'
import { missing, openTelemetry } from './open-telemetry.ts'
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
    allowListeners(this.#closing.signal)
  }

  /** Where `@opentelemetry/api` is not installed, only subscribers are told, and the log says so if there are none. */
  static async create(
    { content = false }: TelemetrySettings,
    log: Log,
    load?: () => Promise<Api>,
  ): Promise<Telemetry> {
    try {
      const api = await openTelemetry(load)
      return new Telemetry({ log, spans: { api, meters: new RunMeters(api), hasContent: content } })
    } catch (error) {
      if (!HostError.is(error)) throw error
      const telemetry = new Telemetry({ log })
      if (!telemetry.#channel.hasSubscribers) log({ level: 'warn', ...missing(error) })
      return telemetry
    }
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
