import type { StorageUsage } from '@braidwork/agent/internal'
import { groups, type SqlSession, type SqlValue } from './database.ts'

/** A change of an owner's usage. */
export type Charge = Partial<StorageUsage>

/** Returns the current usage of an owner. */
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

/**
 * Adds the change that a transaction makes to its owner's usage. Call it last in a transaction, to avoid deadlocks
 * between transactions.
 */
export function charge(session: SqlSession, owner: string, change: Charge): Promise<void> {
  return chargeAll(session, new Map([[owner, change]]))
}

/** Charges several owners, like {@link charge}. */
export async function chargeAll(
  session: SqlSession,
  changes: ReadonlyMap<string, Charge>,
): Promise<void> {
  const rows: SqlValue[][] = []
  for (const [owner, { bytes = 0, conversations = 0, files = 0 }] of changes) {
    if (bytes || conversations || files) rows.push([owner, bytes, conversations, files])
  }
  // All transactions update the rows in the same order, also to avoid deadlocks.
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

/** Adds a change to the sums in `to`. */
export function addCharge(to: Map<string, Charge>, owner: string, change: Charge): void {
  const { bytes = 0, conversations = 0, files = 0 } = to.get(owner) ?? {}
  to.set(owner, {
    bytes: bytes + (change.bytes ?? 0),
    conversations: conversations + (change.conversations ?? 0),
    files: files + (change.files ?? 0),
  })
}

/** Runs a statement and returns the sum of the column `size` over its rows; 0 if there are none. */
export async function sizeIn(
  session: SqlSession,
  text: string,
  values: readonly SqlValue[],
): Promise<number> {
  const rows = await session.query(text, values)
  return rows.reduce((sum, { size }) => sum + Number(size ?? 0), 0)
}
