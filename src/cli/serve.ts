import { HostError, type Log } from '@braidwork/plugin'
import {
  createServer,
  LOCAL,
  listen,
  type ServerOptions,
  tokenAuthenticator,
} from '@braidwork/server'
import {
  LOOPBACK_HOSTS,
  optionsOf,
  readServerConfig,
  type ServerConfig,
} from '@braidwork/server/internal'
import { pino } from 'pino'
import { escapedJson } from './characters.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import { assertCounted, type ConfigOptions, loadConfig } from './options.ts'
import { openStore } from './server-store.ts'
import { stopSignal } from './stop-signal.ts'

const DEFAULT_PORT = 8787
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
/** Milliseconds after a stop signal until the process ends, even if a plugin is still running. */
const LINGER = 2000

export interface ServeOptions extends ConfigOptions {
  readonly port?: number
  readonly host?: string
}

/** `braidwork serve`: prints the address as the first line of output, and serves until a stop signal. */
export async function serve(options: ServeOptions): Promise<number> {
  const log = logger()
  const place = { ...options, walksUp: false }
  const { config: layered, diagnostics } = loadConfig(place)
  assertCounted(diagnostics)
  const { server: given } = layered
  const config = await readServerConfig(given, process.env)
  const hostname = options.host ?? '127.0.0.1'
  const access = accessOf(config, hostname)
  const storage = await openStore(given)
  try {
    const opened = await openHost(place, { log, storage })
    await using host = opened.host
    assertCounted(opened.diagnostics)
    reportDiagnostics(opened.diagnostics)
    const server = await createServer({ ...optionsOf(config), ...access, host, storage, log })
    const address = { port: options.port ?? DEFAULT_PORT, hostname }
    const listening = await listen(server, address).catch(async (error: unknown) => {
      await server.close()
      throw error
    })
    // Listens for signals first: a reader of the address may send one at once.
    const stopped = stopSignal()
    process.stdout.write(`${listening.url}${config.base_path ?? ''}\n`)
    await stopped
    await listening.close()
    setTimeout(() => process.exit(EXIT.ok), LINGER).unref()
    return EXIT.ok
  } finally {
    await storage.close()
  }
}

/** A log that writes JSON lines to standard error. */
function logger(): Log {
  const output = pino.destination(2)
  const escaping = { write: (line: string) => void output.write(escapedJson(line)) }
  const lines = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, escaping)
  return ({ level, message, ...facts }) => lines[level](facts, message)
}

/**
 * Decides who may call: holders of a token; without tokens, only callers on this machine.
 * @throws {HostError} CONFIG_INVALID
 */
function accessOf(
  { tokens, hosts }: ServerConfig,
  hostname: string,
): Pick<ServerOptions, 'authenticate' | 'anonymous' | 'hosts'> {
  const isLoopback = LOOPBACK.has(hostname)
  // Against DNS rebinding: a server on the loopback address accepts no other host name.
  const names = isLoopback ? [...LOOPBACK_HOSTS, ...(hosts ?? [])] : hosts
  const answered = names ? { hosts: names } : {}
  if (tokens && tokens.length > 0) {
    return { ...answered, authenticate: tokenAuthenticator(tokens) }
  }
  if (isLoopback) return { ...answered, anonymous: LOCAL }
  throw new HostError(
    'CONFIG_INVALID',
    `Anyone who reaches ${hostname} could use this server. Set "server.tokens" in the config, or serve on 127.0.0.1.`,
    { pointer: '/server/tokens' },
  )
}
