import { type ChildProcess, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { ROOT } from './source-files.ts'

/** How many schemas are made at once. */
const SCHEMAS = 50

/** A PostgreSQL of the machine's own, in a folder of its own, on loopback. */
export class PostgresServer {
  readonly port: number
  readonly #folder: string
  #process: ChildProcess | undefined
  #databases = 0
  #schemas = 0

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
  }

  /** Why there is none to start; nothing where there is. */
  static missing(): string | undefined {
    return versionOf('initdb') ? undefined : 'no PostgreSQL ("initdb") is on the PATH'
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'braidwork-postgres-'))
    const { uid, gid } = unprivileged()
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    run('cp', ['-a', emptyCluster(), join(folder, 'data')])
    const server = new PostgresServer(folder, await freePort())
    await server.begin()
    return server
  }

  /** Starts it, again where it was stopped. */
  async begin(): Promise<void> {
    const { uid, gid } = unprivileged()
    const options = ['-D', join(this.#folder, 'data'), '-p', String(this.port), '-k', this.#folder]
    const child = spawn('postgres', [...options, '-h', '127.0.0.1', '-F'], {
      uid,
      gid,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = child
    let said = ''
    for await (const data of child.stderr) {
      said += String(data)
      if (said.includes('ready to accept connections')) break
    }
    if (!said.includes('ready to accept connections')) throw new Error(`postgres: ${said}`)
  }

  /** At once, with all its connections. */
  stop(): Promise<void> {
    return this.#end('SIGINT')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** The address of a new, empty database. */
  createDatabase(): string {
    const name = `test_${++this.#databases}`
    this.#client('createdb', [name])
    return `postgres://braidwork@127.0.0.1:${this.port}/${name}`
  }

  /**
   * The address of a new, empty storage: a schema of one database for a user of its own, who sees no other. A database
   * takes PostgreSQL a tenth of a second to make, and as long to delete.
   */
  createSchema(): string {
    const number = ++this.#schemas
    if (number % SCHEMAS === 1) this.#makeSchemas(number, number + SCHEMAS - 1)
    return `postgres://user_${number}@127.0.0.1:${this.port}/postgres`
  }

  #makeSchemas(first: number, last: number): void {
    const sql = `DO $$ BEGIN FOR n IN ${first}..${last} LOOP
      EXECUTE format('CREATE ROLE user_%s SUPERUSER LOGIN', n);
      EXECUTE format('CREATE SCHEMA AUTHORIZATION user_%s', n);
    END LOOP; END $$`
    this.#client('psql', ['-q', '-d', 'postgres', '-c', sql])
  }

  #client(program: string, args: readonly string[]): void {
    const server = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'braidwork']
    run(besideInitdb(program), [...server, ...args])
  }

  async close(): Promise<void> {
    // Without writing what its memory holds: the databases are deleted.
    await this.#end('SIGQUIT')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** PostgreSQL does not run as root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
}

/** What a program says of its version, or nothing where there is none. */
function versionOf(program: string): string | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * A folder of data without databases of its own, made once for all tests of a checkout: `initdb` takes a second of the
 * processor, a copy a tenth.
 */
function emptyCluster(): string {
  const { LC_ALL, LANG } = process.env
  const key = [versionOf('initdb'), LC_ALL || LANG].join('-').replaceAll(/[^\w.]+/g, '-')
  const kept = join(ROOT, '.cache', 'postgres', key)
  if (existsSync(kept)) return kept
  const { uid, gid } = unprivileged()
  const made = mkdtempSync(join(tmpdir(), 'braidwork-postgres-'))
  try {
    if (uid !== undefined && gid !== undefined) chownSync(made, uid, gid)
    const options = ['-A', 'trust', '-U', 'braidwork', '--no-sync', '-E', 'UTF8']
    run('initdb', ['-D', join(made, 'data'), ...options], { uid, gid, cwd: made })
    keep(join(made, 'data'), kept)
    return kept
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Copies a folder to its place at once: tests of other processes may do the same. */
function keep(folder: string, place: string): void {
  const copy = `${place}.${process.pid}`
  mkdirSync(dirname(place), { recursive: true })
  run('cp', ['-a', folder, copy])
  try {
    renameSync(copy, place)
  } catch (error) {
    rmSync(copy, { recursive: true })
    if (!existsSync(place)) throw error
  }
}

/** The program itself: on the path there may be a script that looks it up at each start. */
function besideInitdb(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const initdb = folders.map((folder) => join(folder, 'initdb')).find((path) => existsSync(path))
  const path = initdb === undefined ? '' : join(dirname(realpathSync(initdb)), program)
  return existsSync(path) ? path : program
}

function run(program: string, args: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`)
}
