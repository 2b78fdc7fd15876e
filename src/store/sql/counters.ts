import type {
  CounterChange,
  CounterStorage,
  CounterTake,
  FullCounter,
} from '@braidwork/agent/internal'
import { groups, type SqlDatabase, type SqlValue } from './database.ts'

/** The columns of a row, in the order of {@link valuesOf}. */
const COLUMNS = 'key, starts_at, ends_at, most, amount, held'
/** The parameters of a row. PostgreSQL would take them for texts. */
const ROW = `(CAST(? AS TEXT), ${Array.from({ length: 5 }, () => 'CAST(? AS BIGINT)').join(', ')})`
const SUMS = 'amount = counters.amount + excluded.amount, held = counters.held + excluded.held'

export function sqlCounters(database: SqlDatabase): CounterStorage {
  const add = async (changes: readonly CounterChange[]): Promise<void> => {
    for (const some of groups(database, inOrder(changes))) {
      await database.query(
        `INSERT INTO counters (${COLUMNS}) VALUES ${rowsOf(some)}
          ON CONFLICT (key, starts_at) DO UPDATE SET ${SUMS}`,
        some.flatMap(valuesOf),
      )
    }
  }
  return {
    take: async (takes) => {
      const taken = await takeBelow(database, inOrder(takes))
      if (taken.size === takes.length) return []
      // Another process took the rest of one counter between the two looks at it.
      const given = takes.filter(({ key }) => taken.has(key))
      await add(given.map((take) => ({ ...take, amount: -take.amount, held: -take.held })))
      const full = await Promise.all(takes.map((take) => fullness(database, take)))
      const found = full.flatMap((one) => one ?? [])
      return found.length > 0 ? found : takes.map(({ key }) => ({ key, isSpent: false }))
    },
    add,
    expire: async (before) => {
      await database.query('DELETE FROM counters WHERE ends_at < ?', [before])
    },
  }
}

/**
 * Adds to counters in one statement. Returns the keys of those that took it. The first condition looks at all
 * counters; the second looks again at the row that is locked by then, so that nobody else can take its room.
 */
async function takeBelow(
  database: SqlDatabase,
  takes: readonly CounterTake[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query(
    `INSERT INTO counters (${COLUMNS})
      WITH wanted (${COLUMNS}) AS (VALUES ${rowsOf(takes)})
      SELECT ${COLUMNS} FROM wanted WHERE NOT EXISTS (
        SELECT 1 FROM counters AS known JOIN wanted AS one
          ON known.key = one.key AND known.starts_at = one.starts_at
          WHERE known.amount + known.held >= one.most)
      ORDER BY key
      ON CONFLICT (key, starts_at) DO UPDATE SET ${SUMS}, most = excluded.most
        WHERE counters.amount + counters.held < excluded.most
      RETURNING key`,
    takes.flatMap(valuesOf),
  )
  return new Set(rows.map(({ key }) => String(key)))
}

async function fullness(
  database: SqlDatabase,
  { key, startsAt, most }: CounterTake,
): Promise<FullCounter | undefined> {
  const [row] = await database.query(
    'SELECT amount, held FROM counters WHERE key = ? AND starts_at = ?',
    [key, startsAt],
  )
  const amount = Number(row?.['amount'] ?? 0)
  const isFull = amount + Number(row?.['held'] ?? 0) >= most
  return isFull ? { key, isSpent: amount >= most } : undefined
}

/** Sorts changes by key. Statements that lock rows in one order cannot wait for each other in a circle. */
function inOrder<T extends CounterChange>(changes: readonly T[]): readonly T[] {
  return [...changes].sort((one, other) =>
    one.key === other.key ? one.startsAt - other.startsAt : one.key < other.key ? -1 : 1,
  )
}

function rowsOf(changes: readonly CounterChange[]): string {
  return changes.map(() => ROW).join(', ')
}

function valuesOf(change: CounterChange & { readonly most?: number }): readonly SqlValue[] {
  const { key, startsAt, endsAt, most = 0, amount, held } = change
  return [key, startsAt, endsAt, most, amount, held]
}
