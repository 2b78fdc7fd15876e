import type { StoredRun } from '@braidwork/agent'
import type { RunEvent } from '@braidwork/plugin'
import type { RouteContext, Services } from '../../context.ts'
import { EVENT_STREAM_HEADERS, responseOf, runHeader } from '../../dialect.ts'
import { warningHeaders } from '../../headers.ts'
import { readFor, respondStream } from '../../respond.ts'
import { factsOf, orderOf } from '../../run-order.ts'
import { warningsOf } from '../../run-warnings.ts'
import { runUnknown } from '../../runs/index.ts'
import {
  type A2aFormat,
  a2aEncoder,
  a2aErrorAnswer,
  a2aResult,
  answerIn,
  TaskView,
  taskIn,
} from '../../wire/a2a/index.ts'

export const PROTOCOL = 'a2a'

/** A request about tasks of an agent. */
export interface TaskRequest {
  readonly c: RouteContext
  readonly services: Services
  /** The name of the agent, which the caller may use. */
  readonly agent: string
  readonly format: A2aFormat
}

/**
 * Finds the run that is a task of the agent.
 * @throws {HostError} RUN_UNKNOWN, also for a run of another owner, agent or protocol
 */
export async function runOf(
  { c, services, agent }: TaskRequest,
  taskId: string,
): Promise<StoredRun> {
  const run = await services.runs.find(c.get('identity'), taskId)
  const { protocol, agent: own } = orderOf(run)
  if (protocol === PROTOCOL && own === agent) return run
  throw runUnknown(taskId)
}

/** Responds with a task as it is at present. */
export async function respondTask(request: TaskRequest, run: StoredRun): Promise<Response> {
  const { format, services } = request
  const { task } = await presentView(run, services)
  return responseOf({ ...a2aResult(format, taskIn(format.version, task)), headers: runHeader(run) })
}

/** How a run answers a message. */
export interface Answering {
  readonly isStreaming: boolean
  /** Whether the client wants the task as it is at present. */
  readonly isImmediate?: boolean
  readonly headers?: { readonly [name: string]: string }
}

/** Responds with the task that a message began or went on with: as a stream, at its end, or at once. */
export async function respondRun(
  request: TaskRequest,
  run: StoredRun,
  { isStreaming, isImmediate = false, headers = {} }: Answering,
): Promise<Response> {
  if (isStreaming) return streamRun(request, run, headers)
  const { c, services, format } = request
  const { task } = isImmediate
    ? await presentView(run, services)
    : await viewOf(run, services, readFor(c.req.raw, run, { runs: services.runs, after: -1 }))
  const answer = a2aResult(format, answerIn(format.version, task))
  const own = { ...(isImmediate ? {} : warningHeaders(await warningsOf(run))), ...runHeader(run) }
  return responseOf({ ...answer, headers: { ...headers, ...own } })
}

/** Responds with the updates of a task. The first is the task as it is at present. */
export async function streamRun(
  { c, services, format }: TaskRequest,
  run: StoredRun,
  headers: { readonly [name: string]: string } = {},
): Promise<Response> {
  const { runs, heartbeat } = services
  const answered = await answeredOf(run, services)
  const at = { until: run.nextSeq - 1, goesOn: run.status === 'active', answered }
  const dialect = {
    errorAnswer: a2aErrorAnswer,
    headers: EVENT_STREAM_HEADERS,
    encoder: (facts: ReturnType<typeof factsOf>) => a2aEncoder(facts, { ...format, ...at }),
  }
  const options = { runs, request: c.req.raw, heartbeat, headers }
  // With a position, a failure of the run is part of the stream: to A2A, it is a state of the task.
  return respondStream(run, dialect, { ...options, after: -1 })
}

/** A task as it is at present. */
export async function presentView(run: StoredRun, services: Services): Promise<TaskView> {
  const view = await viewOf(run, services, storedPages(run, services))
  if (run.status === 'active') view.goOn()
  if (run.status === 'aborted') view.abandon()
  return view
}

async function viewOf(
  run: StoredRun,
  services: Services,
  pages: AsyncIterable<readonly RunEvent[]>,
): Promise<TaskView> {
  const { runs } = services
  const view = new TaskView(factsOf(run))
  for await (const page of pages) {
    for (const event of page) view.add(runs.shownErrors.markIn(event))
  }
  view.answered(await answeredOf(run, services))
  return view
}

/** The approvals of a waiting run that are answered. */
async function answeredOf(
  { id, owner, status }: StoredRun,
  { storage }: Services,
): Promise<readonly string[]> {
  if (status !== 'suspended') return []
  const all = await storage.approvals.list(owner, id)
  return all.filter(({ answer }) => answer).map((approval) => approval.id)
}

/** Reads the events that are stored of a run, without waiting for more. */
async function* storedPages({ owner, id }: StoredRun, { storage }: Services) {
  for (let after = -1; ; ) {
    const page = await storage.runs.events(owner, id, { after })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.seq
  }
}
