import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@braidwork/plugin'
import { type BraidworkServer, listen } from '@braidwork/server'
import type { ServerConfig } from '@braidwork/server/internal'
import { EXIT } from './exit.ts'
import type { ConfigOptions } from './options.ts'
import { ReloadableServer } from './reloadable-server.ts'
import { readServer } from './served-config.ts'
import { LOOPBACK_ADDRESS } from './server-access.ts'
import { serverLog } from './server-log.ts'
import { openStore } from './server-store.ts'
import { holdReload, ignoreUserSignals, stopSignal } from './stop-signal.ts'

const DEFAULT_PORT = 8787
/** Milliseconds after a stop signal until the process ends, even if a plugin is still running. */
const LINGER = 2000

export interface ServeOptions extends ConfigOptions {
  readonly port?: number
  readonly host?: string
}

/**
 * `braidwork serve`: prints the address as the first line of output, and serves until a stop signal. SIGHUP reloads
 * the config, also one that comes during the start. SIGUSR1 and SIGUSR2 do nothing.
 */
export async function serve(given: ServeOptions): Promise<number> {
  const { port = DEFAULT_PORT, host: hostname = LOOPBACK_ADDRESS, ...options } = given
  const askedToReload = holdReload()
  const log = serverLog()
  ignoreUserSignals(log)
  const place = { ...options, walksUp: false, hostname }
  const read = await readServer(place)
  const storage = await openStore(read.given)
  try {
    const running = await ReloadableServer.start({ place, storage, log }, read)
    try {
      const listening = await listen(running.server, { port, hostname })
      // Listens for signals first: a reader of the address may send one at once.
      const stopped = stopSignal(() => void running.reload())
      if (askedToReload()) void running.reload()
      process.stdout.write(`${listening.url}${read.config.base_path ?? ''}\n`)
      await stopped
      await drained(running.server, read.config, log)
      await listening.close()
      setTimeout(() => process.exit(EXIT.ok), LINGER).unref()
    } finally {
      await running.close()
    }
    return EXIT.ok
  } finally {
    await storage.close()
  }
}

/** Lets load balancers notice that the server stops, while it still serves all requests. */
async function drained(
  server: BraidworkServer,
  { drain_seconds: seconds = 0 }: ServerConfig,
  log: Log,
): Promise<void> {
  if (seconds === 0) return
  server.drain()
  const message = `The server stops in ${seconds} seconds. Until then it serves requests, and /readyz answers 503.`
  log({ level: 'info', message })
  await wait(seconds * 1000)
}
