import type { StoredRun } from '@braidwork/agent'
import type { RouteContext, Services } from './context.ts'
import type { StreamDialect } from './dialect.ts'
import { ignoredHeaders, repeatKeyOf } from './headers.ts'
import { respondStream, respondWhole } from './respond.ts'
import { factsOf, type RunOrder } from './run-order.ts'
import type { Protocol } from './server-options.ts'
import type { Thread } from './thread.ts'
import type { AnswerEncoder, RunFacts, WireRequest } from './wire/index.ts'

/** A request of a protocol whose clients keep their own history. */
export interface OwnTruth {
  readonly protocol: Protocol
  readonly request: WireRequest
  /** Whether the client wants the run kept. */
  readonly isStored: boolean
  /** Whether the run goes on when nobody reads it. */
  readonly isBackground?: boolean
  /** What is said of the run besides, whenever it is asked for. */
  readonly about?: RunOrder['about']
  /** Finds or makes the conversation that it is kept in; what stands there is true. */
  readonly startThread?: () => Promise<Thread>
}

/** Runs a request whose history is true as it is, and answers with a stream or in one piece. */
export async function answerOwnTruth(
  c: RouteContext,
  services: Services,
  given: OwnTruth & Answering,
): Promise<Response> {
  const request = services.catalogue.requestFor(c.get('identity'), given.request)
  const run = await startOwnTruth(c, services, { ...given, request })
  return answerRun(c, services, { ...given, request, run })
}

/** How the answer is written. */
export interface Answering {
  readonly request: WireRequest
  readonly isStored: boolean
  readonly dialect: StreamDialect
  readonly whole: (facts: RunFacts) => AnswerEncoder
}

/** The answer of a run that was begun for a request. */
export function answerRun(
  c: RouteContext,
  { runs, heartbeat }: Services,
  { run, request, isStored, dialect, whole }: Answering & { readonly run: StoredRun },
): Promise<Response> {
  const options = {
    runs,
    request: c.req.raw,
    headers: ignoredHeaders(request),
    ...(isStored ? {} : { onEnd: () => void runs.forget(run) }),
  }
  return request.isStreaming
    ? respondStream(run, dialect, { ...options, heartbeat })
    : respondWhole(run, whole(factsOf(run)), options)
}

/** Begins the run of such a request. */
export async function startOwnTruth(
  c: RouteContext,
  { runs, catalogue, environment, storage }: Services,
  { protocol, request, isStored, isBackground = false, about, startThread }: OwnTruth,
): Promise<StoredRun> {
  const identity = c.get('identity')
  const key = await repeatKeyOf(c.req.raw, protocol, request)
  const known = startThread && (await runs.repeated({ identity, isStored, ...key }))
  if (known) return known
  const thread = await startThread?.()
  const { messages = request.messages, conversationId, append } = thread ?? {}
  const run = await runs.start({
    identity,
    order: {
      protocol,
      model: catalogue.find(identity, request.model).name,
      messageId: environment.newId('message'),
      createdAt: environment.now(),
      settings: request.settings,
      tools: request.tools,
      asks: false,
      ...(about ? { about } : {}),
    },
    messages: runs.rejoiner.rejoin(identity, messages),
    isStored,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(append ? { append } : {}),
    ...(isBackground ? {} : { abandonAfter: 0 }),
    ...key,
  })
  // The same request came twice at once, and this was the second.
  const isLeft = thread?.isNew && run.conversationId !== thread.conversationId
  if (isLeft) await storage.conversations.delete(identity.id, thread.conversationId)
  return run
}
