import type { Entry, StoredRun } from '@braidwork/agent'
import type { Message } from '@braidwork/plugin'
import type { Services } from '../context.ts'
import { keptConversation } from '../conversations/index.ts'
import type { Identity } from '../identity.ts'
import { factsOf, orderOf } from '../run-order.ts'
import {
  type ItemFacts,
  itemsOfRun,
  type KnownItems,
  placeIn,
  type References,
} from '../wire/responses/index.ts'
import { itemsOnPath, type PathItem } from './path-items.ts'

type Parts = Pick<Services, 'storage' | 'environment' | 'keepResponses'>

/** Returns the items of a stored conversation up to an entry (default: its head). */
export async function itemsOfConversation(
  { storage }: Pick<Services, 'storage'>,
  owner: string,
  id: string,
  at?: string,
): Promise<readonly PathItem[]> {
  const path = await storage.conversations.history(owner, id, at)
  const runs = await storage.runs.list(owner, id)
  const facts = new Map(runs.map((run) => [run.id, itemFactsOf(run)]))
  const items = itemsOnPath(path, (runId) => facts.get(runId))
  return withEmptyAnswers(items, path, runs)
}

/** Puts the item of each answer without entries behind those of its request. */
function withEmptyAnswers(
  items: readonly PathItem[],
  path: readonly Entry[],
  runs: readonly StoredRun[],
): readonly PathItem[] {
  const said = new Set(path.map(({ runId }) => runId))
  const empty = runs.filter(({ id, status }) => status === 'done' && !said.has(id))
  const behind = new Map(empty.flatMap((run) => lastAsked(run, path).map((id) => [id, run])))
  return items.flatMap((item, at) => {
    const { id } = item.entries.at(-1) ?? {}
    const run = id === items[at + 1]?.entries.at(-1)?.id ? undefined : behind.get(id)
    return run ? [item, ...emptyAnswer(run)] : [item]
  })
}

/** The id of the last entry that the request of a run added to a path, if it added one. */
function lastAsked(run: StoredRun, path: readonly Entry[]): readonly (string | undefined)[] {
  const { input } = orderOf(run)
  const first = input ? path.findIndex(({ id }) => id === input.first) : -1
  return input && first >= 0 ? [path[first + input.count - 1]?.id] : []
}

/** An answer without text has no entry, but its response has an item. */
function emptyAnswer(run: StoredRun): readonly PathItem[] {
  return itemsOfRun([], itemFactsOf(run)).map((item) => ({ ...item, entries: [] }))
}

function itemFactsOf(run: StoredRun): ItemFacts {
  return { ...factsOf(run), isFinished: run.status === 'done' }
}

/** Returns the items of the request that started a run. */
export async function itemsOfRequest(
  { storage }: Pick<Services, 'storage'>,
  run: StoredRun,
): Promise<readonly PathItem[]> {
  const { input } = orderOf(run)
  if (run.conversationId === undefined || input === undefined) return []
  const entries = await storage.conversations.entries(run.owner, run.conversationId)
  const first = entries.findIndex(({ id }) => id === input.first)
  return first < 0 ? [] : itemsOnPath(entries.slice(first, first + input.count), () => undefined)
}

/**
 * Finds the stored items that a request refers to: items of stored responses of the caller, and items of the
 * conversation that the request continues. Items that were deleted, have expired or belong to others are not found.
 */
export async function knownItems(
  parts: Parts,
  { id: owner }: Identity,
  references: References,
): Promise<KnownItems> {
  const messages = new Map<string, readonly Message[]>()
  const places = new Set(references.ids.flatMap((id) => placeIn(id) ?? []))
  const wanted = new Set(references.ids)
  const add = (items: readonly PathItem[]): void => {
    for (const { item, messages: own } of items) if (wanted.has(item.id)) messages.set(item.id, own)
  }
  let isWhole = true
  for (const place of places) {
    const run = await parts.storage.runs.load(owner, place)
    if (run) add(await itemsOfResponse(parts, run))
    else isWhole = false
  }
  if (!isWhole) add(await itemsBefore(parts, owner, references))
  return { messages, advice: adviceFor(parts) }
}

/** The items of a stored response, from the entries that its run has now. */
async function itemsOfResponse(parts: Parts, run: StoredRun): Promise<readonly PathItem[]> {
  const { id, owner, conversationId } = run
  const { conversations } = parts.storage
  if (conversationId === undefined) return []
  if (!(await keptConversation(parts, owner, conversationId))) return []
  const last = await conversations.lastOf(owner, conversationId, id)
  if (last === undefined) return emptyAnswer(run)
  const entries: Entry[] = []
  for await (const entry of conversations.above(owner, conversationId, last)) {
    if (entry.runId !== id) break
    entries.push(entry)
  }
  return itemsOnPath(entries.reverse(), () => itemFactsOf(run))
}

/** The items of the conversation that a request continues. */
async function itemsBefore(
  parts: Parts,
  owner: string,
  { previousResponseId, conversationId }: References,
): Promise<readonly PathItem[]> {
  const previous = previousResponseId?.replace(/^resp_/, '')
  const run = previous === undefined ? undefined : await parts.storage.runs.load(owner, previous)
  const id = run?.conversationId ?? conversationId
  if (id === undefined || !(await keptConversation(parts, owner, id))) return []
  const at = run && (await parts.storage.conversations.lastOf(owner, id, run.id))
  return itemsOfConversation(parts, owner, id, at)
}

function adviceFor({ keepResponses }: Parts): string {
  const send = 'Send the item itself, as a client of the AI SDK does with "store": false'
  return keepResponses === undefined
    ? `It stores responses only for requests with "store": true, unless "server.keep_responses" in its config says for how many hours. ${send}.`
    : `The item has expired, was deleted, or belongs to another caller or conversation. ${send}.`
}
