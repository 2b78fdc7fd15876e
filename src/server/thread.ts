import type { StoredRun } from '@braidwork/agent'
import type { NewEntry } from '@braidwork/agent/internal'
import { HostError, type Message, type ToolResultPart } from '@braidwork/plugin'
import type { Services } from './context.ts'
import type { Identity } from './identity.ts'
import { historyOf, messagesOf } from './turns/index.ts'

/** A conversation that a request asked to be kept in. */
export interface Thread {
  readonly conversationId: string
  /** Whether it was made for this request. */
  readonly isNew: boolean
  readonly append: { readonly entries: readonly NewEntry[]; readonly parent?: string | null }
  /** All that the model is shown. */
  readonly messages: readonly Message[]
}

export interface ThreadRequest {
  /** What the request brings. */
  readonly messages: readonly Message[]
  readonly model: string
  /** The run that it goes on from. */
  readonly previous: StoredRun | undefined
  readonly conversationId?: string
}

/**
 * Where a request that is to be kept goes on: below the answer of the run that it names, at the head of a
 * conversation, or in a new one. System messages are of the request alone.
 * @throws {HostError} RUN_UNKNOWN where that run was not kept; CONVERSATION_UNKNOWN
 */
export async function startThread(
  identity: Identity,
  { storage, environment, quotas }: Services,
  { messages, model, previous, conversationId }: ThreadRequest,
): Promise<Thread> {
  const { conversations } = storage
  const own = messages.filter(({ role }) => role !== 'system')
  const system = messages.filter(({ role }) => role === 'system')
  const id = previous ? keptIn(previous) : (conversationId ?? environment.newId('conversation'))
  const isThere = (await conversations.load(identity.id, id)) !== undefined
  if (!isThere) {
    if (conversationId !== undefined) {
      throw new HostError('CONVERSATION_UNKNOWN', `There is no conversation "${id.slice(0, 100)}".`)
    }
    await quotas.assertRoom(identity, { conversations: 1 })
    const created = { id, owner: identity.id, agent: model, sender: identity.id }
    await conversations.create(created, environment.now())
  }
  const at = previous && (await conversations.lastOf(identity.id, id, previous.id))
  const path = messagesOf(await conversations.history(identity.id, id, at))
  const history = historyOf(path)
  const added = named(own, history)
  return {
    conversationId: id,
    isNew: !isThere,
    append: {
      entries: added.map((message) => ({
        kind: 'message',
        id: environment.newId('message'),
        message,
      })),
      ...(at === undefined ? {} : { parent: at }),
    },
    messages: [...system, ...history, ...added],
  }
}

function keptIn({ id, conversationId }: StoredRun): string {
  if (conversationId !== undefined) return conversationId
  throw new HostError('RUN_UNKNOWN', `The response "resp_${id}" was not kept.`, {
    pointer: '/previous_response_id',
  })
}

/** Results with the names of the calls that they answer, which stand in what was kept. */
function named(messages: readonly Message[], history: readonly Message[]): readonly Message[] {
  const names = new Map(
    history.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.name]] : [])),
    ) as readonly (readonly [string, string])[],
  )
  const withName = (part: ToolResultPart): ToolResultPart => ({
    ...part,
    name: part.name || (names.get(part.callId) ?? ''),
  })
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'tool-result' ? withName(part) : part)),
  }))
}
