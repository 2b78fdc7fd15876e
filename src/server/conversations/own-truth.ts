import type { StoredRun } from '@braidwork/agent'
import type { NewEntry } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import type { RouteContext, Services } from '../context.ts'
import type { StreamDialect } from '../dialect.ts'
import { withoutEmpty } from '../empty-conversations.ts'
import { ignoredHeaders, repeatKeyOf } from '../headers.ts'
import type { Identity } from '../identity.ts'
import type { Protocol } from '../options/index.ts'
import { respondStream, respondWhole, startWaitOf } from '../respond.ts'
import { factsOf, type RunOrder } from '../run-order.ts'
import type { Rejoined } from '../runs/index.ts'
import {
  type AnswerEncoder,
  canResetParts,
  type RunFacts,
  type WireRequest,
} from '../wire/index.ts'
import { clientRequest, holdsTextOf, toolHeaders, withheldFrom } from './client-request.ts'
import type { Thread } from './thread.ts'

/** A request in a protocol whose clients send the whole history with each request. */
export interface OwnTruth {
  readonly protocol: Protocol
  readonly request: WireRequest
  /** Whether the client wants the run stored. */
  readonly isStored: boolean
  /** Whether the run continues without a reader. */
  readonly isBackground?: boolean
  /** Further properties stored with the run and returned with it. */
  readonly about?: RunOrder['about']
  /** All messages for the model. By default those of the request. */
  readonly messages?: readonly Message[]
  /** Finds or creates the stored conversation of the run. Its history takes the place of the client's. */
  readonly startThread?: () => Promise<Thread>
}

/** Runs a request with the history that it carries, and responds with a stream or as a whole. */
export async function answerOwnTruth(
  c: RouteContext,
  services: Services,
  given: OwnTruth & Answering,
): Promise<Response> {
  const request = await clientRequest(c, services, given.request)
  const headers = await toolHeaders(c, services, request)
  const run = await startOwnTruth(c, services, { ...given, request })
  return answerRun(c, services, { ...given, request, run, headers })
}

/** How to write the response. */
export interface Answering {
  readonly request: WireRequest
  readonly isStored: boolean
  readonly dialect: StreamDialect
  readonly whole: (facts: RunFacts) => AnswerEncoder
  readonly headers?: { readonly [name: string]: string }
}

/** Responds with the output of a run that was started for a request. */
export function answerRun(
  c: RouteContext,
  { runs, heartbeat }: Services,
  { run, request, isStored, dialect, whole, headers }: Answering & { readonly run: StoredRun },
): Promise<Response> {
  const options = {
    runs,
    request: c.req.raw,
    headers: { ...headers, ...ignoredHeaders(request) },
    ...(isStored ? {} : { onEnd: () => void runs.forget(run) }),
  }
  return request.isStreaming
    ? respondStream(run, dialect, { ...options, heartbeat })
    : respondWhole(run, whole(factsOf(run)), options)
}

/** Says which entries a request adds to its conversation. */
function inputOf(entries: readonly NewEntry[] = []): Pick<RunOrder, 'input'> {
  const first = entries[0]?.id
  return first === undefined ? {} : { input: { first, count: entries.length } }
}

/** Starts the run of a request. */
export async function startOwnTruth(
  c: RouteContext,
  services: Services,
  { request, isStored, isBackground = false, startThread, ...given }: OwnTruth,
): Promise<StoredRun> {
  const { runs, catalog, storage } = services
  const { protocol } = given
  const identity = c.get('identity')
  const key = await repeatKeyOf(c.req.raw, protocol, request)
  const known = startThread && (await runs.repeated({ identity, isStored, ...key }))
  if (known) return known
  const thread = await startThread?.()
  const planned = await catalog.find(identity, request.agent)
  const holdsText = await holdsTextOf(identity, services, { request, plan: planned.plan })
  const { messages, place } = await historyFor(services, identity, { request, thread, ...given })
  const starting = runs.start({
    identity,
    order: {
      ...orderFor(services, request, planned),
      protocol,
      ...(holdsText ? { holdsText } : {}),
      ...(place === undefined ? {} : { place }),
      ...inputOf(thread?.input),
      ...(given.about ? { about: given.about } : {}),
    },
    messages,
    headers: c.req.raw.headers,
    isStored,
    ...(thread ? { conversationId: thread.conversationId, append: thread.append } : {}),
    ...(isBackground ? {} : { abandonAfter: 0 }),
    ...(request.isStreaming && !isBackground ? { startWait: startWaitOf(services.heartbeat) } : {}),
    ...key,
  })
  const made = thread?.isNew && { owner: identity.id, id: thread.conversationId }
  const run = await (made ? withoutEmpty(services, made, starting) : starting)
  // The same request arrived twice at once and this is the second, so the conversation just created is not needed.
  const isLeft = thread?.isNew && run.conversationId !== thread.conversationId
  if (isLeft) await storage.conversations.delete(identity.id, thread.conversationId)
  return run
}

type Known = Pick<OwnTruth, 'request' | 'messages'> & { readonly thread: Thread | undefined }

/**
 * Returns all messages for the model. A stored history has no hidden messages, and its owner may have deleted some of it.
 */
async function historyFor(
  { runs }: Services,
  identity: Identity,
  { request, messages, thread }: Known,
): Promise<Rejoined> {
  const isStored = thread ? !thread.isNew : messages !== undefined
  const history = thread?.messages ?? messages ?? request.messages
  return isStored ? { messages: history } : runs.work.rejoiner.rejoin(identity, request, history)
}

/** What a request says itself of its order. */
function orderFor(
  { environment }: Services,
  request: WireRequest,
  { name: agent, plan }: Awaited<ReturnType<Services['catalog']['find']>>,
): Omit<RunOrder, 'protocol'> {
  const { settings, schemaPlace, tools, toolWords, hostTools } = request
  const withheldTools = withheldFrom(request, plan)
  return {
    agent,
    messageId: environment.newId('message'),
    createdAt: environment.now(),
    settings,
    ...(schemaPlace === undefined ? {} : { schemaPlace }),
    tools,
    ...(withheldTools.length > 0 ? { withheldTools } : {}),
    ...(toolWords ? { toolWords } : {}),
    ...(hostTools ? { hostTools } : {}),
    asks: false,
    canReset: canResetParts(request),
  }
}
