import { bytesOf, type SettingsStorage } from '@braidwork/agent/internal'
import { jsonIn, type SqlDatabase } from './database.ts'
import { charge, sizeIn } from './usage.ts'

const SIZE = 'octet_length(layer) AS size'

export function sqlSettings(database: SqlDatabase): SettingsStorage {
  return {
    load: async (owner) => {
      const [row] = await database.query('SELECT layer FROM settings WHERE owner = ?', [owner])
      return row && jsonIn(row['layer'])
    },
    save: async (owner, layer, now) => {
      const kept = JSON.stringify(layer)
      await database.transaction(async (session) => {
        const size = await sizeIn(session, `SELECT ${SIZE} FROM settings WHERE owner = ?`, [owner])
        await session.query(
          `INSERT INTO settings (owner, layer, updated_at) VALUES (?, ?, ?) ON CONFLICT (owner)
            DO UPDATE SET layer = excluded.layer, updated_at = excluded.updated_at`,
          [owner, kept, now],
        )
        await charge(session, owner, { bytes: bytesOf(kept) - size })
      })
    },
    delete: (owner) =>
      database.transaction(async (session) => {
        const text = `DELETE FROM settings WHERE owner = ? RETURNING ${SIZE}`
        const size = await sizeIn(session, text, [owner])
        await charge(session, owner, { bytes: -size })
        return size > 0
      }),
  }
}
