import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'

/** A PostgreSQL of the machine's own, in a folder of its own, on loopback. */
export class PostgresServer {
  readonly port: number
  readonly #folder: string
  #process: ChildProcess | undefined
  #databases = 0

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
  }

  /** Why there is none to start; nothing where there is. */
  static missing(): string | undefined {
    const { status } = spawnSync('initdb', ['--version'])
    return status === 0 ? undefined : 'no PostgreSQL ("initdb") is on the PATH'
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'braidwork-postgres-'))
    const { uid, gid } = unprivileged()
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    const made = spawnSync(
      'initdb',
      ['-D', join(folder, 'data'), '-A', 'trust', '-U', 'braidwork', '--no-sync', '-E', 'UTF8'],
      { uid, gid, cwd: folder, encoding: 'utf8' },
    )
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
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
    const port = String(this.port)
    const made = spawnSync('createdb', ['-h', '127.0.0.1', '-p', port, '-U', 'braidwork', name])
    if (made.status !== 0) throw new Error(`createdb: ${String(made.stderr)}`)
    return `postgres://braidwork@127.0.0.1:${port}/${name}`
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
