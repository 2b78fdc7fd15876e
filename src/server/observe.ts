import type { Log } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { routePath } from 'hono/route'
import type { RouteVariables, Services } from './context.ts'
import { PROBES } from './routes/index.ts'

/** The status of a request whose client left before the response began, as nginx logs it. Nobody is sent it. */
const CLIENT_LEFT = 499

/**
 * Counts, measures and logs every request, including refused ones, at the level `debug` if it is a probe of a healthy
 * server. A stream counts until it begins.
 */
export function observe(
  app: Hono<{ Variables: RouteVariables }>,
  { metrics, environment }: Services,
  { log, basePath = '' }: { readonly log: Log; readonly basePath?: string | undefined },
): void {
  const probes = new Map<string, string>(
    PROBES.flatMap((path) => [path, `${basePath}${path}`].map((asked) => [asked, path] as const)),
  )
  app.use('*', async (c, next) => {
    const since = environment.elapsed()
    await next()
    const { headers } = c.res
    const status = c.req.raw.signal.aborted ? CLIENT_LEFT : c.res.status
    const { method, path } = c.req
    const milliseconds = environment.elapsed() - since
    const probe = probes.get(path)
    metrics.countRequest(probe ?? routePath(c, -1), status, milliseconds / 1000)
    // A request that was refused before it was identified has no identity.
    const { id: identity } = (c.get('identity') as RouteVariables['identity'] | undefined) ?? {}
    const runId = headers.get('x-run-id')
    const requestId = c.get('requestId')
    log({
      // A monitor asks every few seconds.
      level: probe !== undefined && status < 400 ? 'debug' : 'info',
      message: 'request',
      method,
      path,
      status,
      ms: Math.round(milliseconds),
      ...(identity === undefined ? {} : { identity }),
      ...(runId === null ? {} : { runId }),
      ...(requestId === undefined ? {} : { requestId }),
    })
  })
}
