import type { Client, Transport } from '@modelcontextprotocol/client'
import { Problem, type TooLarge } from '../problem.ts'
import type { ServerSettings } from '../settings.ts'
import { oneLine } from '../visible.ts'
import { ChildTransport } from './child-transport.ts'
import { farewellOf } from './farewell.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { endLostRequests } from './lost-answers.ts'

/** A connected client, and what it stands on. */
export interface Connection {
  readonly client: Client
  /** Why the host ended the server. Undefined if it did not. */
  fault(): Problem | undefined
  /** How the server ended that nobody asked to end. */
  ending(): Ending
  /** Ends the connection, and the process behind it. */
  close(): Promise<void>
}

/** How a server ended. */
export interface Ending {
  /** Why it is not there, for whoever needs it. */
  readonly reason: string
  /** The same for the log. */
  readonly told: string
  /** The end of what its process wrote to standard error, for the log alone. */
  readonly words: string
}

export interface ConnectOptions {
  readonly server: ServerSettings
  readonly roots: readonly string[]
  readonly maxBytes: number
  /** The most milliseconds until the server has answered. */
  readonly startMs: number
  /** Whether the server is known to speak a protocol of before 2026-07-28. */
  readonly isLegacy: boolean
  /** Sets handlers on a client before it connects. */
  readonly prepare: (client: Client) => void
  readonly onToolsChanged: () => void
  /** Receives lines for the log. */
  readonly tell: (text: string) => void
  /** What a server over HTTP is authorized with, if somebody has logged in. */
  readonly authProvider?: unknown
}

/** Connects to a server, whatever version of the protocol it speaks. @throws {Problem} */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const isLegacy = options.isLegacy || options.server.isOld
  try {
    return await connectAs(options, isLegacy ? 'legacy' : 'auto')
  } catch (error) {
    // A server of before 2026 may end when it is asked for its version first.
    if (isLegacy || !(error instanceof EndedEarly)) throw error
    return connectAs(options, 'legacy')
  }
}

/** The child of a server ended before it had answered. */
class EndedEarly extends Problem {}

async function connectAs(options: ConnectOptions, mode: 'legacy' | 'auto'): Promise<Connection> {
  const { Client, SseError } = await import('@modelcontextprotocol/client')
  const carrier = await carrierOf(options)
  const client = new Client(
    { name: 'braidwork', version: '1' },
    {
      capabilities: {
        elicitation: { form: {} },
        ...(options.roots.length > 0 ? { roots: {} } : {}),
        ...(options.server.sampling ? { sampling: {} } : {}),
      },
      versionNegotiation: { mode, probe: { timeoutMs: options.startMs / 2 } },
      inputRequired: { autoFulfill: false },
      // At once: the change must be known before the call ends that made it.
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: options.onToolsChanged },
      },
    },
  )
  options.prepare(client)
  const onError = (error: Error) => {
    options.tell(oneLine(error.message))
    // A stream of 2024 that breaks takes its session and all answers with it.
    if (error instanceof SseError) void client.close()
  }
  client.onerror = onError
  try {
    await client.connect(carrier.transport, { timeout: options.startMs })
    return {
      client,
      fault: () => carrier.fault(),
      ending: () => endingOf(carrier),
      close: () => closeBoth(client, carrier),
    }
  } catch (error) {
    await closeBoth(client, carrier)
    throw carrier.problem(error)
  }
}

/** A transport, with what must be closed beside it. */
interface Carrier {
  readonly transport: Transport
  /** Ends the session with the server. Called before the client closes. */
  farewell?(): Promise<void>
  close(): Promise<void> | void
  problem(error: unknown): Problem
  /** Why the host ended the server. */
  fault(): Problem | undefined
  /** The process of a server. Absent over HTTP. */
  readonly child?: Pick<ChildTransport, 'ending' | 'lastWords'>
}

function endingOf({ child, ...carrier }: Carrier): Ending {
  const fault = carrier.fault()
  if (fault) return { reason: fault.message, told: `was ended: ${fault.message}`, words: '' }
  const reason = 'it ended unexpectedly'
  const told = `ended unexpectedly${child?.ending ? `, with ${child.ending}` : ''}`
  return { reason, told, words: child?.lastWords ?? '' }
}

/** Closes what a connection that failed has opened. A client that never connected may fail to close. */
async function closeBoth(client: Client, carrier: Carrier): Promise<void> {
  await carrier.farewell?.()
  await client.close().catch(() => undefined)
  await carrier.close()
}

async function carrierOf(options: ConnectOptions): Promise<Carrier> {
  const { server, maxBytes, tell } = options
  const { reached } = server
  if (reached.kind !== 'stdio') return httpCarrier(options, reached)
  const { parseJSONRPCMessage: parse } = await import('@modelcontextprotocol/client')
  const transport = new ChildTransport({ reached, maxBytes, tell, parse })
  return {
    transport,
    child: transport,
    close: () => transport.close(),
    fault: () => transport.fault,
    problem: (error) => {
      if (error instanceof Problem) return error
      const { lastWords: words, ending } = transport
      if (!transport.hasEnded) return new Problem(messageOf(error), { words })
      return new EndedEarly(`it ended with ${ending}`, { words })
    },
  }
}

async function httpCarrier(
  { server, maxBytes, startMs, authProvider }: ConnectOptions,
  reached: Exclude<ServerSettings['reached'], { readonly kind: 'stdio' }>,
): Promise<Carrier> {
  const sdk = await import('@modelcontextprotocol/client')
  const { url, headers, allowPrivate, kind } = reached
  let cut: TooLarge | undefined
  const onCut = (problem: TooLarge) => {
    cut = problem
  }
  let failure: Problem | undefined
  const onFailure = (problem: Problem) => {
    failure = problem
  }
  const guarded = guardedFetch({
    url,
    allowPrivate,
    maxBytes,
    connectMs: startMs,
    onCut,
    onFailure,
  })
  const options = {
    fetch: guarded.fetch,
    requestInit: { headers: { ...headers } },
    redirectPolicy: 'same-origin' as const,
    ...(authProvider === undefined ? {} : { authProvider: authProvider as never }),
  }
  // oxlint-disable-next-line typescript/no-deprecated -- servers of 2024 speak nothing else.
  const Carrying = kind === 'sse' ? sdk.SSEClientTransport : sdk.StreamableHTTPClientTransport
  const transport = new Carrying(new URL(url), options)
  if (transport instanceof sdk.StreamableHTTPClientTransport)
    endLostRequests(transport, () => {
      const problem = cut
      cut = undefined
      return problem
    })
  return {
    transport,
    farewell: farewellOf(transport),
    // Over streamable HTTP only an answer ends, and `endLostRequests` tells why.
    fault: () => (kind === 'sse' ? cut : undefined),
    close: async () => {
      await transport.close()
      guarded.close()
    },
    problem: (error) => httpProblem(error, { sdk, server: server.name, failure }),
  }
}

interface Asked {
  readonly sdk: typeof import('@modelcontextprotocol/client')
  readonly server: string
  /** Why the last request that failed had no response. */
  readonly failure: Problem | undefined
}

function httpProblem(error: unknown, { sdk, server, failure }: Asked): Problem {
  if (error instanceof Problem) return error
  if (error instanceof sdk.UnauthorizedError || statusOf(error) === 401)
    return new Problem(`it asks for a login: set "headers", or run "braidwork mcp login ${server}"`)
  return error instanceof sdk.SseError
    ? streamProblem(error, failure)
    : new Problem(messageOf(error))
}

/** Why the stream of a server of 2024 did not begin. The SDK quotes the failure of its request with all the causes. */
function streamProblem(error: Error, failure: Problem | undefined): Problem {
  if (failure) return failure
  const status = statusOf(error)
  const isAnswered = typeof status === 'number'
  return new Problem(isAnswered ? `it answered with the HTTP status ${status}` : messageOf(error))
}

/** The status of a response in an error of the SDK. An error of a stream of 2024 has it as its code. */
function statusOf(error: unknown): unknown {
  const { status, code }: { readonly status?: unknown; readonly code?: unknown } = Object(error)
  return status ?? code
}

/** Codes of the SDK for a connection that is not there any more. */
const CLOSED: ReadonlySet<unknown> = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED'])

/** Whether a request failed because its connection had closed. */
export function isClosed(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error)
  return CLOSED.has(code)
}

/** The message of an error, without the texts of responses in which it may be long. Under jest, errors of Node have another class. */
export function messageOf(error: unknown): string {
  const { message }: { readonly message?: unknown } = Object(error)
  return oneLine(typeof message === 'string' ? message : String(error))
}
