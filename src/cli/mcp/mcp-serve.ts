import { Writable } from 'node:stream'
import { HostError } from '@braidwork/plugin'
import { createServer, LOCAL } from '@braidwork/server'
import { publishedNames } from '@braidwork/server/internal'
import { agentNames } from '../agent-names.ts'
import { EXIT } from '../exit.ts'
import type { ConfigOptions } from '../options.ts'
import { withOwnServer } from '../own-server.ts'
import { serverLog } from '../server-log.ts'
import { stopSignal } from '../stop-signal.ts'

/** Milliseconds after the end of the connection until the process ends, even if a plugin is still running. */
const LINGER = 2000

export interface McpServeOptions extends ConfigOptions {
  /** The ids of the agents and models that are tools. The default is all. */
  readonly agent?: readonly string[]
}

/**
 * `braidwork mcp serve`: serves one client of MCP over standard input and output, until the client closes its side or a
 * signal stops the process.
 */
export async function mcpServeCommand({ agent, ...options }: McpServeOptions): Promise<number> {
  const output = protocolOutput()
  return withOwnServer(options, serverLog(), async ({ opened, read, storage, ...own }) => {
    const { agents, models } = read.config
    if (agent) {
      const names = await publishedNames(opened.host, models)
      assertKnown(agent, [...names, ...(await agentNames(opened, agents, storage))])
    }
    const anonymous = { ...LOCAL, ...(agent ? { models: agent } : {}) }
    const server = await createServer({ ...own.options, anonymous })
    try {
      const connection = await server.connectMcp({ input: process.stdin, output })
      await Promise.race([connection.closed, stopSignal()])
      await connection.close()
      process.stdin.destroy()
      setTimeout(() => process.exit(EXIT.ok), LINGER).unref()
    } finally {
      await server.close()
    }
    return EXIT.ok
  })
}

/** @throws {HostError} AGENT_NOT_FOUND */
function assertKnown(asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const names = known.join(', ') || 'none'
  throw new HostError(
    'AGENT_NOT_FOUND',
    `The server has no agent or model "${unknown}"; it has ${names}.`,
  )
}

/**
 * Returns standard output for the protocol alone. What plugins print goes to standard error from now on, since the
 * client would take it for messages.
 */
function protocolOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error)),
  })
  // A client that has left: its end of standard input comes too.
  process.stdout.on('error', () => undefined)
  output.on('error', () => undefined)
  return output
}
