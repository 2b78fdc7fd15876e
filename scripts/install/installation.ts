/** An empty folder into which packages are installed with `npm install`. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const runFile = promisify(execFile)
const QUIET = ['--silent', '--no-audit', '--no-fund']

export class Installation {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  }

  async install(names: readonly string[], registry: string): Promise<void> {
    await this.run('npm', ['install', ...QUIET, '--registry', registry, ...names])
  }

  /** Runs a command, away from the user's own files. @returns its output. @throws if it fails */
  async run(command: string, args: readonly string[]): Promise<string> {
    const own = join(this.folder, '.user')
    const env = { ...process.env, XDG_CONFIG_HOME: own, XDG_DATA_HOME: own }
    const running = runFile(command, args, { cwd: this.folder, env })
    // A command that reads its input would wait for it.
    running.child.stdin?.end()
    return (await running).stdout
  }

  /** Runs a command that must fail. @returns its standard error. @throws if it does not fail */
  async runFailing(command: string, args: readonly string[]): Promise<string> {
    const failure: unknown = await this.run(command, args).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure === undefined) throw new Error(`"${command} ${args.join(' ')}" did not fail.`)
    return (failure as { readonly stderr?: string }).stderr ?? ''
  }

  /** The number of packages that npm installed. */
  get packages(): number {
    const path = join(this.folder, 'node_modules', '.package-lock.json')
    const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { readonly packages: object }
    return Object.keys(packages).length
  }

  /** The total size of node_modules in bytes. */
  get bytes(): number {
    return bytesIn(join(this.folder, 'node_modules'))
  }
}

function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true })
  const sizes = entries.map((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return bytesIn(path)
    return entry.isFile() ? statSync(path).size : 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
