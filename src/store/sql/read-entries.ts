import type { Entry } from '@braidwork/agent'
import { entryUnknown } from '@braidwork/agent/internal'
import type { Row, SqlSession } from './database.ts'
import type { Place } from './entries.ts'
import { entriesIn } from './entry-row.ts'

/**
 * The page sizes for walking up a path. The first page is small, because callers often need only the end of a path.
 */
const FIRST_PAGE = 32
const MOST_PAGE = 1000
/** The limits for reading contents in one statement, in rows and bytes. */
const MOST_ROWS = 100
const MOST_BYTES = 1 << 18

/** An entry without its content. */
export interface Node {
  readonly id: string
  readonly parent: string | undefined
  readonly seq: number
  readonly size: number
}

/**
 * A conversation that several statements read. It may be deleted between two of them: then entries are missing, which
 * must not pass for its end.
 */
export interface Reading {
  readonly session: SqlSession
  readonly place: Place
  /** @throws {HostError} CONVERSATION_UNKNOWN if the conversation has been deleted since */
  readonly assertThere: () => Promise<void>
}

const OF_PLACE = 'FROM entries WHERE owner = ? AND conversation_id = ?'

/**
 * Returns all entries of a conversation, in the order in which they were added.
 * @throws {HostError} CONVERSATION_UNKNOWN if the conversation is deleted meanwhile
 */
export async function entriesOf(reading: Reading): Promise<readonly Entry[]> {
  const all: Entry[] = []
  for (let last: Node | undefined; ; ) {
    const page: readonly Node[] = await nodesBehind(reading, last)
    // The first entries are from one moment. No entries, and further ones, may be those of another conversation.
    if (last || page.length === 0) await reading.assertThere()
    for (const range of rangesOf(page)) all.push(...(await read(reading, range)))
    last = page.at(-1)
    if (page.length < MOST_PAGE) return all
  }
}

/**
 * Yields the path from an entry up to the root, and reads only as far as the caller iterates. A parent was always
 * added before its child, so one scan in descending order finds the whole path.
 * @throws {HostError} ENTRY_UNKNOWN; CONVERSATION_UNKNOWN if the conversation is deleted meanwhile
 */
export async function* pathUp(
  reading: Reading,
  last: string,
): AsyncGenerator<Entry, void, undefined> {
  const seq = await seqOf(reading, last)
  if (seq === undefined) {
    await reading.assertThere()
    throw entryUnknown(last)
  }
  for await (const path of nodesUp(reading, { id: last, seq })) {
    for (const range of rangesOf(path)) yield* (await read(reading, range)).toReversed()
  }
}

/** Yields the path from an entry up to the root without contents, in pages. In place of other branches are gaps. */
export async function* nodesUp(
  reading: Reading,
  last: Pick<Node, 'id' | 'seq'>,
): AsyncGenerator<readonly (Node | undefined)[], void, undefined> {
  let next: string | undefined = last.id
  let { seq } = last
  for (let size = FIRST_PAGE; next !== undefined; size = Math.min(size * 4, MOST_PAGE)) {
    const page = await nodesUpTo(reading, { seq, size })
    const path: (Node | undefined)[] = []
    for (const node of page) {
      const isOnPath = node.id === next
      if (isOnPath) next = node.parent
      path.push(isOnPath ? node : undefined)
    }
    yield path
    if (page.length < size) break
    seq = (page.at(-1)?.seq ?? 0) - 1
  }
  if (next !== undefined) await reading.assertThere()
}

/** The number of an entry, if it is there. */
export async function seqOf({ session, place }: Reading, id: string): Promise<number | undefined> {
  const [row] = await session.query(`SELECT seq ${OF_PLACE} AND id = ?`, [...place, id])
  return row && Number(row['seq'])
}

async function nodesBehind(
  { session, place }: Reading,
  last: Node | undefined,
): Promise<readonly Node[]> {
  const rows = await session.query(
    `SELECT id, parent, seq, octet_length(content) AS size ${OF_PLACE}
      ${last ? 'AND (seq, id) > (?, ?)' : ''} ORDER BY seq, id LIMIT ?`,
    [...place, ...(last ? [last.seq, last.id] : []), MOST_PAGE],
  )
  return rows.map(nodeIn)
}

async function nodesUpTo(
  { session, place }: Reading,
  { seq, size }: { readonly seq: number; readonly size: number },
): Promise<readonly Node[]> {
  const rows = await session.query(
    `SELECT id, parent, seq, octet_length(content) AS size ${OF_PLACE}
      AND seq <= ? ORDER BY seq DESC, id DESC LIMIT ?`,
    [...place, seq, size],
  )
  return rows.map(nodeIn)
}

function nodeIn(row: Row): Node {
  const parent = row['parent'] ?? undefined
  return {
    id: String(row['id']),
    parent: parent === undefined ? undefined : String(parent),
    seq: Number(row['seq']),
    size: Number(row['size']),
  }
}

/** Splits nodes into ranges, each read by one statement. A gap (undefined) ends a range, and so do the limits. */
function rangesOf(nodes: readonly (Node | undefined)[]): readonly (readonly Node[])[] {
  const ranges: Node[][] = []
  let open: Node[] = []
  let bytes = 0
  for (const node of nodes) {
    if (!node || open.length === MOST_ROWS || bytes + node.size > MOST_BYTES) {
      if (open.length > 0) ranges.push(open)
      open = []
      bytes = 0
    }
    if (node) open.push(node)
    bytes += node?.size ?? 0
  }
  return open.length > 0 ? [...ranges, open] : ranges
}

async function read(
  { session, place, assertThere }: Reading,
  range: readonly Node[],
): Promise<readonly Entry[]> {
  const seqs = [range[0]?.seq ?? 0, range.at(-1)?.seq ?? 0]
  const rows = await session.query(
    `SELECT * ${OF_PLACE} AND seq >= ? AND seq <= ? ORDER BY seq, id`,
    [...place, Math.min(...seqs), Math.max(...seqs)],
  )
  const wanted = new Set(range.map(({ id }) => id))
  const entries = await entriesIn(
    session,
    rows.filter((row) => wanted.has(String(row['id']))),
  )
  if (entries.length < range.length) await assertThere()
  return entries
}
