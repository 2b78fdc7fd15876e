/** An empty folder into which packages are installed with `npm install`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const QUIET = ['--silent', '--no-audit', '--no-fund']

export class Installation {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  }

  install(names: readonly string[], registry: string): void {
    this.run('npm', ['install', ...QUIET, '--registry', registry, ...names])
  }

  /** Runs a command. @returns its output. @throws if it fails */
  run(command: string, args: readonly string[]): string {
    return execFileSync(command, args, {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  /** Runs a command that must fail. @returns its standard error */
  runFailing(command: string, args: readonly string[]): string {
    return spawnSync(command, args, { cwd: this.folder, encoding: 'utf8' }).stderr
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
