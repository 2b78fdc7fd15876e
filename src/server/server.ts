import { type Environment, systemEnvironment } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { type App, type AppParts, appOf } from './app.ts'
import type { Services } from './context.ts'
import {
  assertOptions,
  DEFAULT_HEARTBEAT,
  type ReloadOptions,
  type ServerOptions,
} from './options/index.ts'
import { type McpConnection, McpGate, type McpStreams } from './routes/index.ts'
import { CANCEL_AFTER, servicesOf } from './services.ts'
import { Upkeep } from './upkeep.ts'

/** The default time between two lease renewals in seconds, the same as in the run log. */
const SIGN_OF_LIFE = 10
const RETENTION = 7 * 24 * 60 * 60_000

/** A server as a fetch handler. It opens no socket and can be mounted wherever a fetch handler can. */
export interface BraidworkServer {
  readonly fetch: (request: Request) => Promise<Response>
  /** The prefix of all paths, from the options. A handler of `toNodeHandler` hands other paths on. */
  readonly basePath?: string | undefined
  /** The number of runs that this process is working on. */
  readonly activeRuns: number
  /**
   * Replaces the options. Requests that begin afterwards use the new ones; active runs keep their host and config
   * until they end. What was counted goes on counting. If this rejects, the options stay as they were.
   * @throws {HostError} the errors of {@link createServer}
   */
  reload(options: ReloadOptions): Promise<Reloaded>
  /**
   * Serves one client of MCP over two streams, such as standard input and output. The client is `anonymous`.
   * @throws {HostError} OPTION_INVALID without `anonymous`
   */
  connectMcp(streams: McpStreams): Promise<McpConnection>
  /** Answers `/readyz` with 503 from now on, and serves all else, so that load balancers send their requests elsewhere. */
  drain(): void
  /**
   * Stops the server's runs and stores their endings, but for runs with `on_interrupt: resume`, which the next server of
   * the storage goes on with. Host and storage stay open.
   */
  close(): Promise<void>
}

/** The outcome of a reload. */
export interface Reloaded {
  /** Resolves when no request and no run uses the earlier options, so that their host can be closed. */
  readonly left: Promise<void>
}

/** A set of options in force, with all that was made of them. */
interface Generation {
  readonly app: App
  readonly services: Services
  readonly basePath: string | undefined
}

/**
 * Creates a server for a host.
 * @throws {HostError} OPTION_INVALID, PACKAGE_MISMATCH, STORAGE_FAILED, and the errors of resolving the host's config
 */
export async function createServer(options: ServerOptions): Promise<BraidworkServer> {
  assertOptions(options)
  const { environment = systemEnvironment, log = () => undefined } = options
  const { heartbeat = DEFAULT_HEARTBEAT, cancelAfter = CANCEL_AFTER } = options
  const mcp = new McpGate({ environment, heartbeat, cancelAfter })
  const readiness = { isDraining: false }
  const parts = { environment, log, mcp, readiness }
  let current = await generationOf(options, parts)
  const upkeep = new Upkeep({
    storage: options.storage,
    environment,
    log,
    recover: () => using(current.services, recover),
    every: (options.lease?.heartbeat ?? SIGN_OF_LIFE) * 1000,
    retention: options.retention ?? RETENTION,
  })
  await upkeep.begin()
  return {
    fetch: (request) => using(current.services, async () => current.app.fetch(request)),
    get basePath() {
      return current.basePath
    },
    get activeRuns() {
      return current.services.runs.activeRuns
    },
    reload: async (next) => {
      const { services } = current
      const changed = { ...next, storage: options.storage }
      assertOptions(changed)
      current = await generationOf(changed, parts, services)
      return { left: services.uses.retire() }
    },
    connectMcp: (streams) => {
      const { anonymous } = options
      if (!anonymous) return Promise.reject(needsAnonymous())
      return mcp.connect(streams, () => ({
        services: current.services,
        identity: anonymous,
        headers: new Headers(),
      }))
    },
    drain: () => {
      readiness.isDraining = true
    },
    close: async () => {
      await upkeep.close()
      await mcp.close()
      await closeServices(current.services)
    },
  }
}

async function closeServices(services: Services): Promise<void> {
  const { compactions, runs, notifier, telemetry, tokens } = services
  await compactions.close()
  await runs.close()
  await notifier.close()
  await telemetry?.close()
  await tokens.close()
}

function needsAnonymous(): HostError {
  const message = 'connectMcp needs "anonymous", the identity of the client.'
  return new HostError('OPTION_INVALID', message, { pointer: '/anonymous' })
}

/**
 * Takes the runs whose process has ended, resumes those whose approvals were answered, and posts what ended processes had
 * not posted.
 */
async function recover({ runs, interrupted, approvals, notices }: Services): Promise<void> {
  await runs.recover((left) => interrupted.goOn(left))
  await approvals.resumeAnswered()
  const { shownErrors } = runs
  await notices?.deliverLeft({ shownErrors, read: (run, options) => runs.read(run, options) })
}

/** Does something with services that must not be given up meanwhile. */
async function using<T>(services: Services, act: (services: Services) => Promise<T>): Promise<T> {
  const leave = services.uses.enter()
  try {
    return await act(services)
  } finally {
    leave()
  }
}

/** What stays when the options change. */
interface GenerationParts extends AppParts {
  readonly environment: Environment
}

/** @param earlier the services whose state the new ones go on with */
async function generationOf(
  options: ServerOptions,
  { environment, ...parts }: GenerationParts,
  earlier?: Services,
): Promise<Generation> {
  const services = await servicesOf(options, environment, parts.log, earlier)
  const { basePath } = options
  return { services, basePath, app: appOf(options, services, parts) }
}
