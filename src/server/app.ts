import { HostError, type Log } from '@braidwork/plugin'
import { Hono } from 'hono'
import { setHold } from './access/index.ts'
import { discardBody } from './bodies/index.ts'
import { Bodies } from './bodies.ts'
import type { RouteContext, RouteVariables, Services } from './context.ts'
import { type Dialect, errorResponse, isOfRun, OWN_DIALECT } from './dialect.ts'
import {
  checkOrigin,
  corsHeaders,
  LOOPBACK_HOSTS,
  type Origins,
  preflight,
  tellForeign,
} from './guards.ts'
import {
  type Authenticate,
  challengeOf,
  firstOf,
  type Identity,
  identify,
  readsTokens,
} from './identity.ts'
import { observe } from './observe.ts'
import type { ServerOptions } from './options/index.ts'
import { nameRequests, requestIdOf } from './request-ids.ts'
import {
  A2A_CARD_PATH,
  AG_UI_DIALECT,
  ANTHROPIC_DIALECT,
  a2aDialectFor,
  a2aRoutes,
  actionRoutes,
  agentRoutes,
  agUiRoutes,
  anthropicRoutes,
  CHAT_UI_DIALECT,
  chatCompletionRoutes,
  chatUiRoutes,
  conversationRoutes,
  dryRunRoutes,
  embeddingsRoutes,
  fileRoutes,
  healthRoutes,
  insightRoutes,
  isAnthropic,
  type McpGate,
  METRICS,
  mcpDialectFor,
  mcpRoutes,
  metricsRoutes,
  modelRoutes,
  OPENAI_DIALECT,
  PROBES,
  pageRoutes,
  RESPONSES_DIALECT,
  type Readiness,
  responsesRoutes,
  runRoutes,
  settingsRoutes,
} from './routes/index.ts'
import { tell } from './tell.ts'
import { routeUnknown } from './unknown-route.ts'

export type App = Hono<{ Variables: RouteVariables }>

/** What all routes of a server share, also after a reload. */
export interface AppParts {
  readonly log: Log
  readonly mcp: McpGate
  readonly readiness: Readiness
}

/** Returns the routes of a server, behind its guards. */
export function appOf(
  options: ServerOptions,
  services: Services,
  { log, mcp, readiness }: AppParts,
): App {
  const app: App = new Hono<{ Variables: RouteVariables }>()
  observe(app, services, { log, basePath: options.basePath })
  nameRequests(app, services, dialectFor)
  const routed = options.basePath ? app.basePath(options.basePath) : app
  const authenticate = authenticatorOf(options, services)
  guard(app, options, authenticate)
  healthRoutes(app, services, { readiness, basePath: options.basePath })
  if (options.page) pageRoutes(app, options.page, options.basePath)
  admit(app, options, { services, authenticate })
  metricsRoutes(app, services)
  chatUiRoutes(routed, services)
  agUiRoutes(routed, services)
  a2aRoutes(routed, services, options)
  mcpRoutes(routed, services, mcp)
  modelRoutes(routed, services)
  chatCompletionRoutes(routed, services)
  embeddingsRoutes(routed, services)
  responsesRoutes(routed, services)
  anthropicRoutes(routed, services)
  runRoutes(routed, services)
  conversationRoutes(routed, services)
  dryRunRoutes(routed, services)
  actionRoutes(routed, services)
  fileRoutes(routed, services)
  settingsRoutes(routed, services)
  agentRoutes(routed, services)
  insightRoutes(routed, services)
  const refused = (c: RouteContext, thrown: unknown) =>
    errorResponse(thrown, dialectFor(c), () => requestIdOf(c, services))
  app.notFound(async (c) => {
    await discardBody(c.req.raw)
    return refused(c, routeUnknown(c.req.method, c.req.path, options.basePath))
  })
  app.onError(async (thrown, c) => {
    await discardBody(c.req.raw)
    tellForeign(log, thrown, c.req.raw)
    // The failure of a run was logged when it occurred.
    const { logsContent = false } = options
    if (!isOfRun(thrown)) tell(log, thrown, { path: c.req.path, logsContent })
    return refused(c, thrown)
  })
  return app
}

function originsOf({
  authenticate,
  storedTokens,
  hosts,
  origins = [],
  trustsProxy = false,
}: ServerOptions): Origins {
  const isOpen = !authenticate && !storedTokens
  return { hosts: hosts ?? (isOpen ? LOOPBACK_HOSTS : undefined), origins, trustsProxy }
}

/** The paths that the server answers to. */
function pathsOf({ basePath }: ServerOptions): string[] {
  return basePath === undefined ? ['*'] : [`${basePath}/*`, ...PROBES, METRICS]
}

/**
 * Checks host name and origin, and tells unknown callers how to identify themselves. Probes skip the check of the host
 * name, since their responses reveal nothing.
 */
function guard(app: App, options: ServerOptions, authenticate: Authenticate | undefined): void {
  const origins = originsOf(options)
  const probes = new Set(PROBES.flatMap((path) => [path, `${options.basePath ?? ''}${path}`]))
  app.on('ALL', pathsOf(options), async (c, next) => {
    checkOrigin(c.req.raw, probes.has(c.req.path) ? { ...origins, hosts: undefined } : origins)
    if (c.req.method === 'OPTIONS') return preflight(c.req.raw, origins)
    await next()
    for (const [name, value] of Object.entries(corsHeaders(c.req.raw, origins))) {
      c.res.headers.set(name, value)
    }
    const challenge = c.res.status === 401 ? challengeOf(c.req.raw, authenticate) : undefined
    if (challenge !== undefined) c.res.headers.set('www-authenticate', challenge)
    return undefined
  })
}

interface Admitting {
  readonly services: Services
  readonly authenticate: Authenticate | undefined
}

/** Identifies the caller and enforces its rate limits. */
function admit(app: App, options: ServerOptions, { services, authenticate }: Admitting): void {
  const { counts, shared, tokens, limits } = services
  const bodies = new Bodies(limits, counts)
  const callerOf = identifierOf(options, authenticate)
  app.on('ALL', pathsOf(options), async (c, next) => {
    const identity = await callerOf(c.req.raw)
    // Requests that a limit refuses have it in the log too.
    c.set('identity', identity)
    counts.countRequest(identity)
    const counting = shared.countRequest(identity)
    if (counting) await counting
    if (identity.role === 'monitor' && c.req.path !== METRICS) return c.notFound()
    setHold(c.req.raw, (end) => tokens.hold(identity, end))
    const close = bodies.open(c.req.raw, identity)
    try {
      await next()
    } finally {
      close()
    }
    return undefined
  })
}

/** Returns the function that finds identities. Undefined if the server knows nobody by name. */
function authenticatorOf(
  { authenticate, storedTokens }: ServerOptions,
  { tokens }: Services,
): Authenticate | undefined {
  const stored = readsTokens((request) => tokens.identify(request))
  const all = [authenticate ?? [], storedTokens ? stored : []].flat()
  return all.length > 0 ? firstOf(all) : undefined
}

/** Returns the function that identifies callers, or throws UNAUTHORIZED. */
function identifierOf(
  { anonymous }: ServerOptions,
  authenticate: Authenticate | undefined,
): (request: Request) => Promise<Identity> {
  return async (request) => {
    if (authenticate) return identify(request, authenticate)
    if (anonymous) return anonymous
    throw new HostError('UNAUTHORIZED', 'Nobody may call this server.')
  }
}

/** Returns the error format that the clients of a path expect. */
function dialectFor(c: RouteContext): Dialect {
  const { path } = c.req
  if (path.includes('/v1/')) {
    const isMessages = /\/v1\/+messages(?:\/|$)/.test(path)
    if (isMessages || isAnthropic(c)) return ANTHROPIC_DIALECT
    return /\/v1\/+responses(?:\/|$)/.test(path) ? RESPONSES_DIALECT : OPENAI_DIALECT
  }
  if (path.endsWith('/ag-ui')) return AG_UI_DIALECT
  if (path.endsWith('/mcp')) return mcpDialectFor(c)
  if (path.includes('/a2a/') || path.endsWith(A2A_CARD_PATH)) return a2aDialectFor(c)
  return path.includes('/api/chat') ? CHAT_UI_DIALECT : OWN_DIALECT
}
