import type { Log } from '@braidwork/plugin'
import type { Client } from '@modelcontextprotocol/client'
import type { Ending } from './connection/connection.ts'
import { oneLine } from './visible.ts'

/** The most lines that a server may add to the log in a minute. */
const MOST_LINES = 100
const MINUTE_MS = 60_000

/** The lines of a server, in the log of whoever uses it. A server that floods is cut off for the rest of the minute. */
export class ServerLog {
  readonly #name: string
  #log: Log | undefined
  #lines = 0
  #since = 0

  constructor(name: string) {
    this.#name = name
  }

  /** Sends the lines to a log from now on. */
  use(log: Log): void {
    this.#log = log
  }

  tell(level: Level, text: string): void {
    const now = performance.now()
    if (now - this.#since > MINUTE_MS) [this.#since, this.#lines] = [now, 0]
    this.#lines++
    if (this.#lines > MOST_LINES) return
    const line =
      this.#lines === MOST_LINES ? 'wrote too much; more lines are left out' : oneLine(text)
    this.#log?.({ level, message: `MCP server "${this.#name}": ${line}` })
  }

  /** Tells how the server ended, and what it last wrote. No flood before keeps that out of the log. */
  tellEnd({ told, words }: Pick<Ending, 'told' | 'words'>): void {
    this.#log?.({ level: 'warn', message: `MCP server "${this.#name}": ${told}` })
    this.tellWords(words)
  }

  /** Tells what the process of the server wrote to standard error before it ended. It may have written nothing. */
  tellWords(words: string): void {
    if (words !== '')
      this.#log?.({ level: 'error', message: `MCP server "${this.#name}" wrote: ${words}` })
  }
}

type Level = Parameters<Log>[0]['level']

const LEVELS: { readonly [level: string]: Level } = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
}
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel'

/** The level of the log for one of MCP. */
export function levelOf(level: string): Level {
  return LEVELS[level] ?? 'error'
}

/** From 2026-07-28 on, a server writes to the log only for a request that asks for it. */
export function withLogLevel(client: Client, params: Parameters<Client['callTool']>[0]) {
  if (client.getProtocolEra() !== 'modern') return params
  return { ...params, _meta: { ...params._meta, [LOG_LEVEL]: 'info' } }
}
