import type { StoredRun } from '@braidwork/agent'
import { isOutput } from '@braidwork/core/internal'
import { HostError, isEnding, type RunEvent } from '@braidwork/plugin'
import { holdFor } from './access/index.ts'
import { CutPages } from './cut-pages.ts'
import { dataOf, errorFrom, noteRun, responseOf, runHeader, type StreamDialect } from './dialect.ts'
import { EventBody, type EventPages, type Page } from './event-body.ts'
import { warningHeaders } from './headers.ts'
import { once } from './once.ts'
import { orAfter } from './or-after.ts'
import { factsOf } from './run-order.ts'
import { warningsOf } from './run-warnings.ts'
import type { RunService } from './runs/index.ts'
import type { AnswerEncoder } from './wire/index.ts'

/**
 * The least time that a response waits for the run's first output, in milliseconds. Until then a failure can still set
 * the HTTP status. A longer `heartbeat` is waited for in full, because clients and proxies then expect that silence.
 */
const FIRST_EVENT = 5000
/** The part of that time which is left for requests to a model API, in milliseconds. */
const FOR_REQUESTS = 1000

/**
 * How long a request to a model API may wait for its repetition, in seconds, so that its failure still sets the status of
 * a stream.
 * @param heartbeat in milliseconds
 */
export function startWaitOf(heartbeat: number): number {
  return (Math.max(FIRST_EVENT, heartbeat) - FOR_REQUESTS) / 1000
}

/** The error of a reader that is disconnected: the run goes on in another process, where it can continue. */
const DISCONNECTED = 'HOST_CLOSED'

export interface RespondOptions {
  readonly runs: RunService
  readonly request: Request
  /** After this many milliseconds without an event, a comment is sent. */
  readonly heartbeat: number
  readonly headers?: { readonly [name: string]: string }
  /**
   * The sequence number of the last event that the client has. With it, the client reads an existing run, and a
   * failure of the run is part of the stream. Without it, the client expects the run to succeed, and an early
   * failure becomes an error response.
   */
  readonly after?: number
  /** Called once when the response ends, for whatever reason. */
  readonly onEnd?: () => void
}

/**
 * Responds with the present leg of a run as a stream. A failure before any output becomes an error response with a
 * status. If the caller's token ends, so does the stream, with that as its error.
 * @throws {HostError} the run's error; UNAUTHORIZED if the caller's token ends before any output
 */
export async function respondStream(
  run: StoredRun,
  dialect: StreamDialect,
  { runs, request, heartbeat, headers = {}, after, onEnd }: RespondOptions,
): Promise<Response> {
  const pages = new CutPages(runs.read(run, after === undefined ? {} : { after }))
  const end = once(() => {
    release()
    request.signal.removeEventListener('abort', end)
    void pages.return()
    onEnd?.()
  })
  const release = holdFor(request, (why) => pages.cut(why))
  const failed = (error: unknown): never => {
    end()
    noteRun(error, run)
    throw error
  }
  request.signal.addEventListener('abort', end)
  if (request.signal.aborted) end()
  const requested =
    after === undefined
      ? await firstPages(pages, heartbeat, runs.shownErrors.of(run)).catch(failed)
      : []
  const encoder = runs.shownErrors.of(run).encoder(dialect.encoder(factsOf(run)))
  const onError = (error: unknown): string => {
    if (HostError.is(error) && error.code === DISCONNECTED) throw error
    return encoder.encode({ type: 'error', error: dataOf(error), runId: run.id, seq: -1 })
  }
  const body = new EventBody({ pages, requested, encoder, heartbeat, onError, onEnd: end })
  return new Response(body.stream(), {
    headers: { ...dialect.headers, ...headers, ...runHeader(run) },
  })
}

/**
 * Responds with the whole output of a run at once.
 * @throws {HostError} the run's error; UNAUTHORIZED if the caller's token ends meanwhile
 */
export async function respondWhole(
  run: StoredRun,
  answer: AnswerEncoder,
  { runs, request, headers = {}, onEnd }: Omit<RespondOptions, 'heartbeat' | 'after'>,
): Promise<Response> {
  const shown = runs.shownErrors.of(run)
  try {
    for await (const page of readFor(request, run, { runs })) {
      for (const event of page) answer.add(shown.markIn(event))
    }
    const whole = answer.answer()
    const own = { ...warningHeaders(await warningsOf(run)), ...runHeader(run) }
    return responseOf({ ...whole, headers: { ...whole.headers, ...headers, ...own } })
  } catch (error) {
    noteRun(error, run)
    throw error
  } finally {
    onEnd?.()
  }
}

/**
 * Reads a run as long as the caller of a request may read it and is there.
 * @throws {HostError} UNAUTHORIZED if the caller's token ends meanwhile
 */
export async function* readFor(
  request: Request,
  run: StoredRun,
  { runs, after }: Pick<RespondOptions, 'runs' | 'after'>,
): AsyncGenerator<readonly RunEvent[], void> {
  const { signal } = request
  const pages = new CutPages(runs.read(run, { signal, ...(after === undefined ? {} : { after }) }))
  const release = holdFor(request, (why) => pages.cut(why))
  try {
    for (let page = await pages.next(); !page.done; page = await pages.next()) yield page.value
  } finally {
    release()
    await pages.return()
  }
}

/**
 * Reads events until the first output, or as long as a client expects a silence. Returns the pages requested so far;
 * the last one may not have arrived.
 * @param silence in milliseconds, such as the option `heartbeat`; at least five seconds
 * @throws {HostError} the run's error, if it failed without output
 */
export async function firstPages(
  pages: EventPages,
  silence: number,
  shown: Marks = UNMARKED,
): Promise<readonly Promise<Page>[]> {
  let next = pages.next()
  const requested = [next]
  const limit = performance.now() + Math.max(FIRST_EVENT, silence)
  while (performance.now() < limit) {
    const page = await orAfter(next, limit - performance.now(), undefined)
    if (page === undefined || page.done) break
    next = pages.next()
    requested.push(next)
    const told = page.value.map((event) => shown.markIn(event))
    const first = told.find((event) => !isPreamble(event))
    const isAll = told.every((event) => isPreamble(event) || isEnding(event))
    if (first?.type === 'error' && isAll) throw errorFrom(first.error)
    if (first) break
  }
  return requested
}

/** Marks the errors in events. */
interface Marks {
  readonly markIn: (event: RunEvent) => RunEvent
}

const UNMARKED: Marks = { markIn: (event) => event }

/** Events that carry no output of the run. */
const PREAMBLE: ReadonlySet<RunEvent['type']> = new Set([
  'start',
  'tool-inventory',
  'run-resumed',
  'model-chosen',
  'model-failed',
  'step-start',
  'context-resolved',
])

function isPreamble(event: RunEvent): boolean {
  return PREAMBLE.has(event.type) || !isOutput(event)
}
