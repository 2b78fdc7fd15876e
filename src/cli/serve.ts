import type { Log } from '@braidwork/plugin'
import { listen } from '@braidwork/server'
import { pino } from 'pino'
import { escapedJson } from './characters.ts'
import { EXIT } from './exit.ts'
import type { ConfigOptions } from './options.ts'
import { ReloadableServer } from './reloadable-server.ts'
import { readServer } from './served-config.ts'
import { openStore } from './server-store.ts'
import { stopSignal } from './stop-signal.ts'

const DEFAULT_PORT = 8787
/** Milliseconds after a stop signal until the process ends, even if a plugin is still running. */
const LINGER = 2000

/**
 * Log lines are written together, up to so many characters or milliseconds, because a write of its own for each line
 * costs more than all else about it. Errors are written at once, and the process writes the rest before it exits.
 */
const LOG_WRITES = { minLength: 8192, periodicFlush: 100 }

export interface ServeOptions extends ConfigOptions {
  readonly port?: number
  readonly host?: string
}

/**
 * `braidwork serve`: prints the address as the first line of output, and serves until a stop signal. SIGHUP reloads
 * the config.
 */
export async function serve(given: ServeOptions): Promise<number> {
  const { port = DEFAULT_PORT, host: hostname = '127.0.0.1', ...options } = given
  const log = logger()
  const place = { ...options, walksUp: false, hostname }
  const read = await readServer(place)
  const storage = await openStore(read.given)
  try {
    const running = await ReloadableServer.start({ place, storage, log }, read)
    try {
      const listening = await listen(running.server, { port, hostname })
      // Listens for signals first: a reader of the address may send one at once.
      const stopped = stopSignal(() => void running.reload())
      process.stdout.write(`${listening.url}${read.config.base_path ?? ''}\n`)
      await stopped
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

/** A log that writes JSON lines to standard error. */
function logger(): Log {
  const output = pino.destination({ dest: 2, ...LOG_WRITES })
  const escaping = { write: (line: string) => void output.write(escapedJson(line)) }
  const lines = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, escaping)
  return ({ level, message, ...facts }) => {
    lines[level](facts, message)
    if (level === 'error') output.flush()
  }
}
