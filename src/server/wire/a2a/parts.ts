import type { JsonObject, RunEvent } from '@braidwork/plugin'
import { defined, type RunFacts, withSafeAddress } from '../index.ts'

/** A part of a message or an artifact, in the form of version 1.0. */
export type A2aPart =
  | { readonly text: string }
  | { readonly data: JsonObject }
  | ({ readonly raw: string } & FileFacts)
  | ({ readonly url: string } & FileFacts)

interface FileFacts {
  readonly mediaType: string
  readonly filename?: string
}

export interface A2aMessage {
  readonly messageId: string
  readonly contextId: string
  readonly taskId: string
  readonly role: 'ROLE_AGENT'
  readonly parts: readonly A2aPart[]
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

/** Where the messages of a run belong. The conversation is the context, the run is the task. */
export function placeOf({ runId, conversationId = runId }: RunFacts) {
  return { taskId: runId, contextId: conversationId }
}

/** A message of the agent that belongs to a status. @param id tells it from others of the run */
export function agentMessage(facts: RunFacts, id: string, parts: readonly A2aPart[]): A2aMessage {
  return { messageId: `${facts.messageId}.${id}`, ...placeOf(facts), role: 'ROLE_AGENT', parts }
}

/** A file, a source or data as a part. Undefined if its only content is an address that nobody should follow. */
export function wholePart(event: Of<'file' | 'source' | 'data'>): A2aPart | undefined {
  const safe = withSafeAddress(event)
  if (safe === undefined) return undefined
  if (safe.type === 'data') return { data: { name: safe.name, data: safe.data ?? null } }
  if (safe.type === 'source') {
    const { url, title } = safe
    return { data: { source: defined({ url, title }) } }
  }
  const { mediaType, data, url, name: filename } = safe
  const facts = { mediaType, ...defined({ filename }) }
  if (data !== undefined) return { raw: data, ...facts }
  return url === undefined ? undefined : { url, ...facts }
}
