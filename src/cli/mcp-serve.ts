import { Writable } from 'node:stream'
import { HostError, isObject } from '@braidwork/plugin'
import { createServer, LOCAL } from '@braidwork/server'
import { readServerConfig } from '@braidwork/server/internal'
import { agentNames } from './agent-names.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { type ConfigOptions, loadConfig } from './options.ts'
import { PluginVersions } from './plugin-versions.ts'
import { openServer, type ReadServer } from './served-config.ts'
import { serverLog } from './server-log.ts'
import { openStore } from './server-store.ts'
import { stopSignal } from './stop-signal.ts'

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
  const log = serverLog()
  const read = await readOwn(options)
  const storage = await openStore(read.given)
  try {
    const parts = { log, storage, versions: new PluginVersions() }
    const { opened, options: serverOptions } = await openServer(
      { ...options, hostname: '127.0.0.1' },
      read,
      parts,
    )
    await using _ = opened.host
    reportDiagnostics(opened.diagnostics)
    const { agents, models = {} } = read.config
    const known = [...Object.keys(models), ...(await agentNames(opened, agents, storage))]
    assertKnown(agent ?? [], known)
    const anonymous = { ...LOCAL, ...(agent ? { models: agent } : {}) }
    const server = await createServer({ ...serverOptions, anonymous })
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
  } finally {
    await storage.close()
  }
}

/** The `server` part of the config without what concerns callers over HTTP. @throws {HostError} CONFIG_INVALID */
async function readOwn(options: ConfigOptions): Promise<ReadServer> {
  const { server = {} } = loadConfig(options).config
  const given = isObject(server) ? { ...server, ...WITHOUT_CALLERS } : server
  return { given, config: await readServerConfig(given, process.env), access: {} }
}

const WITHOUT_CALLERS = { tokens: undefined, oidc: undefined, stored_tokens: undefined }

/** @throws {HostError} AGENT_NOT_FOUND */
function assertKnown(asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const names = known.join(', ') || 'none'
  throw new HostError(
    'AGENT_NOT_FOUND',
    `The config has no agent or model "${unknown}"; it has ${names}.`,
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
