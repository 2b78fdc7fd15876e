import type { StoredRun } from '@braidwork/agent'
import { HostError, type Message } from '@braidwork/plugin'
import type { RouteContext, Services } from '../context.ts'
import type { Identity } from '../identity.ts'
import type { ResponsesRequest } from '../wire/responses/index.ts'
import { keptConversation } from './kept.ts'
import { startOwnTruth } from './own-truth.ts'
import { continuedMessages, startThread } from './thread.ts'

/** The maximum size of a response's metadata in bytes. It is more than OpenAI's limit of 16 pairs needs. */
const MOST_METADATA = 16 << 10

/** Starts the run of a response: stored in a conversation, or passing. */
export async function beginResponse(
  c: RouteContext,
  services: Services,
  request: ResponsesRequest,
): Promise<{ readonly run: StoredRun; readonly isStored: boolean }> {
  const { background, previousResponseId, conversationId, sealsReasoning, repeated } = request
  const isStored = await isKept(c.get('identity'), services, request)
  const about = {
    store: isStored,
    background,
    ...(previousResponseId === undefined ? {} : { previousResponseId }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
    ...(sealsReasoning ? { sealsReasoning } : {}),
    repeated,
  }
  const given = {
    protocol: 'responses',
    request,
    isStored,
    isBackground: background,
    about,
  } as const
  assertFits(request)
  if (!isStored && previousResponseId === undefined) {
    return { run: await startOwnTruth(c, services, given), isStored }
  }
  const previous = await previousOf(c.get('identity'), services, request)
  if (previous && request.store === false && !isStored) {
    const { messages } = request
    const all = await continuedMessages(c.get('identity'), services, { messages, previous })
    return { run: await startOwnTruth(c, services, { ...given, messages: all }), isStored }
  }
  const asked = {
    messages: request.messages,
    agent: request.agent,
    previous,
    ...expiryOf(request, services),
    ...(conversationId === undefined ? {} : { conversationId }),
  }
  const thread = () => startThread(c.get('identity'), services, asked)
  const run = await startOwnTruth(c, services, { ...given, isStored: true, startThread: thread })
  return { run, isStored: true }
}

/** Returns all messages that a request would show the model, without starting a run. */
export async function messagesOfRequest(
  identity: Identity,
  services: Services,
  request: ResponsesRequest,
): Promise<readonly Message[]> {
  assertFits(request)
  const { messages, conversationId } = request
  const previous = await previousOf(identity, services, request)
  return continuedMessages(identity, services, {
    messages,
    previous,
    ...(conversationId === undefined ? {} : { conversationId }),
  })
}

const PREVIOUS = '/previous_response_id'

/** The run of the response that a request continues, if any. */
async function previousOf(
  identity: Identity,
  services: Services,
  { previousResponseId: id }: ResponsesRequest,
): Promise<StoredRun | undefined> {
  return id === undefined ? undefined : responseRun(services, identity, id, PREVIOUS)
}

/**
 * Finds the run of a response that the caller has stored.
 * @param pointer where a request names the response
 * @throws {HostError} RUN_UNKNOWN
 */
export async function responseRun(
  services: Services,
  identity: Identity,
  id: string,
  pointer?: string,
): Promise<StoredRun> {
  const run = await services.runs.find(identity, id.replace(/^resp_/, '')).catch(ifUnknown)
  const { conversationId } = run ?? {}
  const isKept =
    conversationId === undefined ||
    (await keptConversation(services, identity.id, conversationId)) !== undefined
  if (run && isKept) return run
  const hint =
    pointer === undefined ? '' : '; a response is stored only if its request has "store": true'
  const text = `There is no response "${id.slice(0, 100)}"${services.keepResponses ? '' : hint}.`
  throw new HostError('RUN_UNKNOWN', text, { pointer })
}

function ifUnknown(error: unknown): undefined {
  if (!HostError.is(error) || error.code !== 'RUN_UNKNOWN') throw error
}

/** Whether a response is stored: the request says so, or leaves it to the server, and there is room. */
async function isKept(
  identity: Identity,
  { keepResponses, quotas }: Services,
  { store, background, conversationId, previousResponseId }: ResponsesRequest,
): Promise<boolean> {
  if (store || background || conversationId !== undefined) return true
  if (store === false || keepResponses === undefined) return false
  return previousResponseId !== undefined || quotas.hasRoom(identity, { conversations: 1 })
}

/** When a stored response expires. One whose request asked for it is kept until somebody deletes it. */
function expiryOf(
  { store, conversationId }: ResponsesRequest,
  { keepResponses, environment }: Services,
): { readonly expiresAt?: number | null } {
  if (store === true || conversationId !== undefined) return { expiresAt: null }
  return keepResponses === undefined ? {} : { expiresAt: environment.now() + keepResponses }
}

function assertFits({ metadata, previousResponseId, conversationId }: ResponsesRequest): void {
  if (Buffer.byteLength(JSON.stringify(metadata) ?? '') > MOST_METADATA) {
    const message = `"metadata" is larger than ${MOST_METADATA} bytes of JSON.`
    throw new HostError('REQUEST_TOO_LARGE', message, { pointer: '/metadata' })
  }
  if (previousResponseId !== undefined && conversationId !== undefined) {
    const message = 'Give "previous_response_id" or "conversation", not both.'
    throw new HostError('REQUEST_INVALID', message, { pointer: '/conversation' })
  }
}
