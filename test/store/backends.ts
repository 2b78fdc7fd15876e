import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStorage } from '../../src/store/index.ts'
import { memoryFolder } from '../helpers/memory-folder.ts'
import { PostgresServer } from '../helpers/postgres.ts'

/** A kind of storage to be tried. */
export interface Backend {
  readonly name: string
  /** Why it cannot be had here. */
  readonly missing: string | undefined
  begin(): Promise<void>
  /** The place of a new, empty storage. */
  place(): string
  end(): Promise<void>
}

/** Files of SQLite in a folder of their own. */
export function sqlite(): Backend {
  let folder = ''
  let count = 0
  return {
    name: 'SQLite',
    missing: undefined,
    begin: async () => {
      folder = memoryFolder('braidwork-sqlite-')
    },
    place: () => join(folder, `${++count}.db`),
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The same, but each file has its tables already: it is a copy of one that was made once. */
export function madeSqlite(): Backend {
  const files = sqlite()
  let made = ''
  return {
    ...files,
    begin: async () => {
      await files.begin()
      made = files.place()
      await (await openStorage(made)).close()
    },
    place: () => {
      const place = files.place()
      copyFileSync(made, place)
      return place
    },
  }
}

/** Databases of a PostgreSQL of their own, where the machine has one. */
export function postgres(): Backend {
  return inPostgres((server) => server.createDatabase())
}

/** The same, but all in one database, each in a schema of its own: for suites that take many. */
export function postgresSchemas(): Backend {
  return inPostgres((server) => server.createSchema())
}

function inPostgres(placeIn: (server: PostgresServer) => string): Backend {
  let server: PostgresServer | undefined
  return {
    name: 'PostgreSQL',
    missing: PostgresServer.missing(),
    begin: async () => {
      server = await PostgresServer.start()
    },
    place: () => (server ? placeIn(server) : ''),
    end: async () => server?.close(),
  }
}

export const memory: Backend = {
  name: 'memory',
  missing: undefined,
  begin: async () => undefined,
  place: () => 'memory',
  end: async () => undefined,
}

/** Makes a backend ready, or skips what would be tried, and says why. */
export async function begin(backend: Backend, context: Mocha.Context): Promise<void> {
  if (backend.missing !== undefined) {
    process.stderr.write(`storage in ${backend.name} is skipped: ${backend.missing}\n`)
    context.skip()
  }
  await backend.begin()
}
