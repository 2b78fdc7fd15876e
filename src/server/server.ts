import { type Environment, systemEnvironment } from '@braidwork/agent'
import { assertSameVersion } from '@braidwork/core/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { Hono } from 'hono'
import { Bodies } from './bodies.ts'
import type { RouteContext, RouteVariables, Services } from './context.ts'
import { type Dialect, errorResponse, isOfRun, OWN_DIALECT } from './dialect.ts'
import { checkOrigin, corsHeaders, LOOPBACK_HOSTS, type Origins, preflight } from './guards.ts'
import { identify } from './identity.ts'
import { Limits } from './limits.ts'
import { measuredStorage } from './measured-storage.ts'
import { Metrics } from './metrics.ts'
import { observe } from './observe.ts'
import { Catalog, publishedModels } from './published.ts'
import { Quotas } from './quotas.ts'
import { discardBody } from './refused-body.ts'
import {
  AG_UI_DIALECT,
  ANTHROPIC_DIALECT,
  agUiRoutes,
  anthropicRoutes,
  CHAT_UI_DIALECT,
  chatCompletionRoutes,
  chatUiRoutes,
  conversationRoutes,
  embeddingsRoutes,
  fileRoutes,
  healthRoutes,
  insightRoutes,
  isAnthropic,
  metricsRoutes,
  modelRoutes,
  OPENAI_DIALECT,
  PROBES,
  responsesRoutes,
  runRoutes,
  settingsRoutes,
} from './routes/index.ts'
import { RunService } from './run-service.ts'
import { DEFAULT_HEARTBEAT, DEFAULT_WIRE_LIMITS, type ServerOptions } from './server-options.ts'
import { tell } from './tell.ts'
import { Approvals, Interrupted, Turns } from './turns/index.ts'
import { Upkeep } from './upkeep.ts'

const CANCEL_AFTER = 30_000
/** The default time between two lease renewals in seconds, the same as in the run log. */
const SIGN_OF_LIFE = 10
const RETENTION = 7 * 24 * 60 * 60_000

/** A server as a fetch handler. It opens no socket and can be mounted wherever a fetch handler can. */
export interface BraidworkServer {
  readonly fetch: (request: Request) => Promise<Response>
  /** The number of runs that this process is working on. */
  readonly activeRuns: number
  /** Stops the server's runs and stores their endings. Host and storage stay open. */
  close(): Promise<void>
}

/**
 * Creates a server for a host.
 * @throws {HostError} OPTION_INVALID, PACKAGE_MISMATCH, STORAGE_FAILED, and the errors of resolving the host's config
 */
export async function createServer(options: ServerOptions): Promise<BraidworkServer> {
  const { environment = systemEnvironment, log = () => undefined } = options
  for (const needed of ['host', 'storage'] as const) {
    if (Object(options[needed]) === options[needed]) continue
    const message = `createServer needs "${needed}"${EXAMPLES[needed]}.`
    throw new HostError('OPTION_INVALID', message, { pointer: `/${needed}` })
  }
  assertSameVersion(options.host, '@braidwork/server')
  if (!options.authenticate && !options.anonymous) {
    throw new HostError(
      'OPTION_INVALID',
      'createServer needs "authenticate" or "anonymous", to know who may call the server.',
    )
  }
  const services = await servicesOf(options, environment, log)
  const upkeep = new Upkeep({
    storage: options.storage,
    environment,
    log,
    recover: async () => {
      await services.runs.recover((left) => services.interrupted.goOn(left))
      await services.approvals.resumeAnswered()
    },
    every: (options.lease?.heartbeat ?? SIGN_OF_LIFE) * 1000,
    retention: options.retention ?? RETENTION,
  })
  await upkeep.begin()
  const app = appOf(options, services, log)
  return {
    fetch: async (request) => app.fetch(request),
    get activeRuns() {
      return services.runs.activeRuns
    },
    close: async () => {
      await upkeep.close()
      await services.runs.close()
    },
  }
}

const EXAMPLES = {
  host: ', the result of createHost()',
  storage: ', such as memoryStorage() of braidwork/store',
} as const

async function servicesOf(
  options: ServerOptions,
  environment: Environment,
  log: Log,
): Promise<Services> {
  const { host, askAllowedOn = [], settable = [], cancelAfter = CANCEL_AFTER } = options
  const metrics = await Metrics.create()
  const storage = measuredStorage(options.storage, (name, took) => metrics.addStorage(name, took))
  const limits = { ...DEFAULT_WIRE_LIMITS, ...options.limits }
  const catalog = new Catalog(await publishedModels(host, options.models, log))
  const counts = new Limits(limits, () => environment.elapsed())
  const quotas = new Quotas(storage, limits)
  const parts = { host, storage, environment, catalog, askAllowedOn, log, metrics }
  const { lease, logsContent = false, showsUpstreamErrors = false } = options
  const work = {
    ...parts,
    perRequest: options,
    limits: counts,
    quotas,
    attachments: limits.attachments,
    logsContent,
    showsUpstreamErrors,
    ...(lease ? { lease } : {}),
  }
  const runs = new RunService(work)
  const waiting = { storage, environment, runs, log, cancelAfter }
  const approvals = new Approvals(waiting)
  const turns = new Turns({ ...waiting, catalog, approvals, quotas })
  return {
    ...parts,
    runs,
    turns,
    approvals,
    interrupted: new Interrupted({ ...waiting, host, catalog }),
    limits,
    counts,
    quotas,
    heartbeat: options.heartbeat ?? DEFAULT_HEARTBEAT,
    ...(options.keepResponses === undefined ? {} : { keepResponses: options.keepResponses }),
    settable,
  }
}

type App = Hono<{ Variables: RouteVariables }>

function appOf(options: ServerOptions, services: Services, log: Log): App {
  const app: App = new Hono<{ Variables: RouteVariables }>()
  observe(app, services, log)
  const routed = options.basePath ? app.basePath(options.basePath) : app
  guard(routed, options)
  healthRoutes(routed, services)
  admit(routed, options, services)
  metricsRoutes(routed, services)
  chatUiRoutes(routed, services)
  agUiRoutes(routed, services)
  modelRoutes(routed, services)
  chatCompletionRoutes(routed, services)
  embeddingsRoutes(routed, services)
  responsesRoutes(routed, services)
  anthropicRoutes(routed, services)
  runRoutes(routed, services)
  conversationRoutes(routed, services)
  fileRoutes(routed, services)
  settingsRoutes(routed, services)
  insightRoutes(routed, services)
  app.notFound(async (c) => {
    await discardBody(c.req.raw)
    const error = new HostError(
      'METHOD_UNKNOWN',
      `The server has no route ${c.req.method} ${c.req.path.slice(0, 100)}.`,
    )
    return errorResponse(error, dialectFor(c))
  })
  app.onError(async (thrown, c) => {
    await discardBody(c.req.raw)
    // The failure of a run was logged when it occurred.
    if (!isOfRun(thrown)) tell(log, thrown, { logsContent: options.logsContent ?? false })
    return errorResponse(thrown, dialectFor(c))
  })
  return app
}

function originsOf({
  authenticate,
  hosts,
  origins = [],
  trustsProxy = false,
}: ServerOptions): Origins {
  return { hosts: hosts ?? (authenticate ? undefined : LOOPBACK_HOSTS), origins, trustsProxy }
}

/** Checks host name and origin. Probes skip the check of the host name, since their responses reveal nothing. */
function guard(app: App, options: ServerOptions): void {
  const origins = originsOf(options)
  const probes = new Set(PROBES.map((path) => `${options.basePath ?? ''}${path}`))
  app.use('*', async (c, next) => {
    checkOrigin(c.req.raw, probes.has(c.req.path) ? { ...origins, hosts: undefined } : origins)
    if (c.req.method === 'OPTIONS') return preflight(c.req.raw, origins)
    await next()
    for (const [name, value] of Object.entries(corsHeaders(c.req.raw, origins))) {
      c.res.headers.set(name, value)
    }
    return undefined
  })
}

/** Identifies the caller and enforces its rate limit. */
function admit(
  app: App,
  { authenticate, anonymous }: ServerOptions,
  { counts, limits }: Services,
): void {
  const bodies = new Bodies(limits, counts)
  app.use('*', async (c, next) => {
    const identity = authenticate ? await identify(c.req.raw, authenticate) : anonymous
    if (!identity) throw new HostError('UNAUTHORIZED', 'Nobody may call this server.')
    counts.countRequest(identity)
    c.set('identity', identity)
    const close = bodies.open(c.req.raw, identity)
    try {
      await next()
    } finally {
      close()
    }
  })
}

/** Returns the error format that the clients of a path expect. */
function dialectFor(c: RouteContext): Dialect {
  const { path } = c.req
  if (path.includes('/v1/')) {
    const isMessages = /\/v1\/messages(?:\/|$)/.test(path)
    return isMessages || isAnthropic(c) ? ANTHROPIC_DIALECT : OPENAI_DIALECT
  }
  if (path.endsWith('/ag-ui')) return AG_UI_DIALECT
  return path.includes('/api/chat') ? CHAT_UI_DIALECT : OWN_DIALECT
}
