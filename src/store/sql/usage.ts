import type { StorageUsage } from '@braidwork/agent/internal'
import { groups, type SqlSession, type SqlValue } from './database.ts'

/** What an owner's usage changes by. */
export type Charge = Partial<StorageUsage>

/** What an owner has stored. */
export async function usageOf(session: SqlSession, owner: string): Promise<StorageUsage> {
  const [row] = await session.query(
    'SELECT bytes, conversations, files FROM usage WHERE owner = ?',
    [owner],
  )
  const numberOf = (column: string) => Math.max(0, Number(row?.[column] ?? 0))
  return {
    bytes: numberOf('bytes'),
    conversations: numberOf('conversations'),
    files: numberOf('files'),
  }
}

/** Counts what a transaction stored or deleted. It comes last there, so that transactions wait for no circle. */
export function charge(session: SqlSession, owner: string, change: Charge): Promise<void> {
  return chargeAll(session, new Map([[owner, change]]))
}

/** The same for several owners. */
export async function chargeAll(
  session: SqlSession,
  changes: ReadonlyMap<string, Charge>,
): Promise<void> {
  const rows: SqlValue[][] = []
  for (const [owner, { bytes = 0, conversations = 0, files = 0 }] of changes) {
    if (bytes || conversations || files) rows.push([owner, bytes, conversations, files])
  }
  // All take them in one order, for the same reason.
  rows.sort(([left = ''], [right = '']) => (String(left) < String(right) ? -1 : 1))
  for (const some of groups(session, rows)) {
    await session.query(
      `INSERT INTO usage (owner, bytes, conversations, files)
        VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}
        ON CONFLICT (owner) DO UPDATE SET bytes = usage.bytes + excluded.bytes,
          conversations = usage.conversations + excluded.conversations,
          files = usage.files + excluded.files`,
      some.flat(),
    )
  }
}

/** Adds up what is to be charged. */
export function addCharge(to: Map<string, Charge>, owner: string, change: Charge): void {
  const { bytes = 0, conversations = 0, files = 0 } = to.get(owner) ?? {}
  to.set(owner, {
    bytes: bytes + (change.bytes ?? 0),
    conversations: conversations + (change.conversations ?? 0),
    files: files + (change.files ?? 0),
  })
}

/** A number that a statement answers as `size`, added up over its rows; 0 where there are none. */
export async function sizeIn(
  session: SqlSession,
  text: string,
  values: readonly SqlValue[],
): Promise<number> {
  const rows = await session.query(text, values)
  return rows.reduce((sum, { size }) => sum + Number(size ?? 0), 0)
}
