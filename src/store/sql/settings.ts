import type { SettingsStorage } from '../../agent/storage/index.ts'
import { jsonIn, type SqlDatabase } from './database.ts'

export function sqlSettings(database: SqlDatabase): SettingsStorage {
  return {
    load: async (owner) => {
      const [row] = await database.query('SELECT layer FROM settings WHERE owner = ?', [owner])
      return row && jsonIn(row['layer'])
    },
    save: async (owner, layer, now) => {
      await database.query(
        `INSERT INTO settings (owner, layer, updated_at) VALUES (?, ?, ?)
          ON CONFLICT (owner) DO UPDATE SET layer = excluded.layer, updated_at = excluded.updated_at`,
        [owner, JSON.stringify(layer), now],
      )
    },
    delete: async (owner) => {
      const rows = await database.query('DELETE FROM settings WHERE owner = ? RETURNING owner', [
        owner,
      ])
      return rows.length > 0
    },
  }
}
