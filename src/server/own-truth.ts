import type { StoredRun } from '../agent/storage/index.ts'
import type { RunFacts, WireRequest } from '../wire/protocol.ts'
import type { AnswerEncoder } from '../wire/whole-answer.ts'
import type { RouteContext, Services } from './context.ts'
import type { StreamDialect } from './dialect.ts'
import { idempotencyKeyOf, ignoredHeaders } from './headers.ts'
import { respondStream, respondWhole } from './respond.ts'
import { factsOf } from './run-service.ts'
import type { Protocol } from './server-options.ts'

/** A request of a protocol whose clients keep their own history. */
export interface OwnTruth {
  readonly protocol: Protocol
  readonly request: WireRequest
  /** Whether the client wants the run kept. */
  readonly isStored: boolean
  /** Whether the run goes on when nobody reads it. */
  readonly isBackground?: boolean
  readonly dialect: StreamDialect
  readonly whole: (facts: RunFacts) => AnswerEncoder
}

/** Runs a request whose history is true as it is, and answers with a stream or in one piece. */
export async function answerOwnTruth(
  c: RouteContext,
  services: Services,
  given: OwnTruth,
): Promise<Response> {
  const { runs, heartbeat } = services
  const run = await startOwnTruth(c, services, given)
  const options = {
    runs,
    request: c.req.raw,
    headers: { ...ignoredHeaders(given.request), 'x-run-id': run.id },
    ...(given.isStored ? {} : { onEnd: () => void runs.forget(run) }),
  }
  return given.request.isStreaming
    ? respondStream(run, given.dialect, { ...options, heartbeat })
    : respondWhole(run, given.whole(factsOf(run)), options)
}

/** Begins the run of such a request. */
export function startOwnTruth(
  c: RouteContext,
  { runs, catalogue, environment }: Services,
  { protocol, request, isStored, isBackground = false }: OwnTruth,
): Promise<StoredRun> {
  const identity = c.get('identity')
  return runs.start({
    identity,
    order: {
      protocol,
      model: catalogue.find(identity, request.model).name,
      messageId: environment.newId('message'),
      createdAt: environment.now(),
      settings: request.settings,
      tools: request.tools,
      asks: false,
    },
    messages: runs.rejoiner.rejoin(identity, request.messages),
    isStored,
    ...(isBackground ? {} : { abandonAfter: 0 }),
    ...idempotencyKeyOf(c.req.raw, protocol),
  })
}
