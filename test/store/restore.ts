import Database from 'libsql'
import pg from 'pg'

/** Runs a dump on a file of SQLite. */
export async function restoreSqlite(place: string, dump: string): Promise<void> {
  const connection = new Database(place)
  connection.exec(dump)
  connection.close()
}

/** Runs a dump on a database of PostgreSQL. */
export async function restorePostgres(place: string, dump: string): Promise<void> {
  const client = new pg.Client(place)
  await client.connect()
  try {
    await client.query(dump)
  } finally {
    await client.end()
  }
}
