import type { Entry } from '@braidwork/agent'
import { type MessageNode, shownMessages } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import { answerGroups, isAnswer, newestBelow } from '../turns/index.ts'

/**
 * The versions of a message: it and those in its place on other branches, in the order in which they came. One without
 * `messageId` and `current` has what followed the last message on other branches.
 */
export interface ShownVersions {
  readonly messageId?: string
  /** The ids that `PATCH /api/conversations/{id}` takes as `version`. */
  readonly ids: readonly string[]
  /** The index of the version that is shown. */
  readonly current?: number
}

/**
 * The path from the root to an entry, of all entries of a conversation. A parent comes before its child, so the walk
 * always ends.
 */
export function pathTo(entries: readonly Entry[], last: string | undefined): readonly Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const path: Entry[] = []
  for (let at = byId.get(last ?? ''); at; ) {
    path.push(at)
    const above: Entry | undefined = byId.get(at.parent ?? '')
    at = above && above.seq < at.seq ? above : undefined
  }
  return path.reverse()
}

/**
 * The versions of the messages on a path, for those that have several.
 * @param shownIds the ids of the messages that a page is shown, in their order
 */
export function versionsOf(
  entries: readonly Entry[],
  path: readonly Entry[],
  shownIds: readonly string[],
): readonly ShownVersions[] {
  const tree = new Tree(entries)
  const all = answerGroups(shownMessages(path)).flatMap(([first], at): readonly ShownVersions[] => {
    const messageId = shownIds[at]
    if (!first || messageId === undefined) return []
    const ids = tree.startsAfter(tree.aboveOf(first))
    return ids.length > 1 ? [{ messageId, ids, current: ids.indexOf(first.entryId) }] : []
  })
  const further = tree.startsAfter(path.findLast(({ kind }) => kind === 'message')?.id)
  return further.length > 0 ? [...all, { ids: further }] : all
}

/** The entry that was added last to the branches below an entry. @throws {HostError} ENTRY_UNKNOWN */
export function endOfVersion(entries: readonly Entry[], id: string): string {
  const newest = newestBelow(entries, id)
  if (newest !== undefined) return newest
  const message = `There is no version "${id.slice(0, 100)}" of a message.`
  throw new HostError('ENTRY_UNKNOWN', message, { pointer: '/version' })
}

/** The entries of a conversation by what they follow. The marker of a compaction is no step on a branch. */
class Tree {
  readonly #byId: ReadonlyMap<string, Entry>
  readonly #below = new Map<string | undefined, Entry[]>()

  constructor(entries: readonly Entry[]) {
    this.#byId = new Map(entries.map((entry) => [entry.id, entry]))
    for (const entry of entries) {
      if (entry.kind !== 'message') continue
      const above = this.aboveOf({ parent: entry.parent })
      const known = this.#below.get(above)
      if (known) known.push(entry)
      else this.#below.set(above, [entry])
    }
  }

  /** The entry of the message that one follows. */
  aboveOf({ parent }: Pick<MessageNode, 'parent'>): string | undefined {
    let above = this.#byId.get(parent ?? '')
    while (above?.kind === 'compaction') above = this.#byId.get(above.parent ?? '')
    return above?.id
  }

  /** The entries that begin a message after an entry, without those that go on with an answer. */
  startsAfter(id: string | undefined): readonly string[] {
    const above = this.#byId.get(id ?? '')
    const isAnswering = above?.kind === 'message' && isAnswer(above.message)
    const isStart = (entry: Entry) =>
      entry.kind === 'message' &&
      !(isAnswering && isAnswer(entry.message)) &&
      shownMessages([entry]).length > 0
    return (this.#below.get(id) ?? []).filter(isStart).map((entry) => entry.id)
  }
}
