import type { Entry } from '@braidwork/agent'
import type { Message } from '@braidwork/plugin'
import { type HeldItem, type ItemFacts, itemsOfInput, itemsOfRun } from '../wire/responses/index.ts'

type MessageEntry = Extract<Entry, { readonly kind: 'message' }>

/** An item of a conversation, with the entries that its parts are in. */
export interface PathItem extends HeldItem {
  readonly entries: readonly Entry[]
}

/**
 * Returns the items of a path of a conversation, in order. The entries of a run are the items of its response; any
 * other entry was sent by a client.
 */
export function itemsOnPath(
  path: readonly Entry[],
  factsOf: (runId: string) => ItemFacts | undefined,
): readonly PathItem[] {
  const groups = groupsOf(path.filter(isMessage))
  const last = new Map(groups.map((entries) => [entries[0]?.runId, entries]))
  return groups.flatMap((entries) => {
    const messages = entries.map(({ message }) => message)
    const { runId } = entries[0] ?? {}
    const known = runId === undefined ? undefined : factsOf(runId)
    // An answer ends with the last messages of its run.
    const facts = known && last.get(runId) !== entries ? { ...known, isFinished: false } : known
    const items = runId
      ? itemsOfRun(messages, facts ?? factsOfDeleted(runId, messages))
      : messages.flatMap((message, at) => inputItems(message, entries[at]?.id ?? '', at))
    return items.map((item) => ({ ...item, entries }))
  })
}

/** The facts of a run that was deleted, as far as its items need them: the client answered what the run did not. */
function factsOfDeleted(runId: string, messages: readonly Message[]): ItemFacts {
  const parts = messages.flatMap((message) => message.parts)
  const answered = new Set(
    parts.flatMap((part) => (part.type === 'tool-result' ? part.callId : [])),
  )
  const own = parts.flatMap((part) =>
    part.type === 'tool-call' && !answered.has(part.callId) ? [part.name] : [],
  )
  return { runId, clientTools: new Set(own) }
}

/** Splits a path into the neighboring entries of one run, and single entries. */
function groupsOf(path: readonly MessageEntry[]): readonly (readonly MessageEntry[])[] {
  const groups: MessageEntry[][] = []
  for (const entry of path) {
    const last = groups.at(-1)
    const isSame = entry.runId !== undefined && last?.[0]?.runId === entry.runId
    if (last && isSame) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

function inputItems(message: Message, entryId: string, at: number): readonly HeldItem[] {
  const { id = entryId, ...rest } = message
  return itemsOfInput(rest, id).map((item) => ({
    ...item,
    parts: item.parts.map(({ part }) => ({ message: at, part })),
  }))
}

function isMessage(entry: Entry): entry is MessageEntry {
  return entry.kind === 'message'
}
