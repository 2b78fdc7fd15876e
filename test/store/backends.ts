import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
      folder = mkdtempSync(join(tmpdir(), 'braidwork-sqlite-'))
    },
    place: () => join(folder, `${++count}.db`),
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Databases of a PostgreSQL of their own, where the machine has one. */
export function postgres(): Backend {
  let server: PostgresServer | undefined
  return {
    name: 'PostgreSQL',
    missing: PostgresServer.missing(),
    begin: async () => {
      server = await PostgresServer.start()
    },
    place: () => server?.createDatabase() ?? '',
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
