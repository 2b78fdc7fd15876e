import { PostgresServer } from '../../test/helpers/postgres.ts'

/**
 * Does something on SQLite, and on a PostgreSQL, if the machine has one.
 * @param check is given the name of the storage and its address; without an address, the storage is a file in the
 * folder of the server
 * @returns whether all of it was good
 */
export async function onEachStorage(
  check: (name: string, store: string | undefined) => Promise<boolean>,
): Promise<boolean> {
  const isGood = await check('SQLite', undefined)
  const missing = PostgresServer.missing()
  if (missing !== undefined) {
    console.log(`PostgreSQL is left out: ${missing}`)
    return isGood
  }
  const postgres = await PostgresServer.start()
  try {
    return (await check('PostgreSQL', postgres.createDatabase())) && isGood
  } finally {
    await postgres.close()
  }
}
