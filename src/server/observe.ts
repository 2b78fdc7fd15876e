import type { Log } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { routePath } from 'hono/route'
import type { RouteVariables, Services } from './context.ts'

/** Counts, measures and logs every request, including refused ones. A stream counts until it begins. */
export function observe(
  app: Hono<{ Variables: RouteVariables }>,
  { metrics, environment }: Services,
  log: Log,
): void {
  app.use('*', async (c, next) => {
    const since = environment.elapsed()
    await next()
    const { status, headers } = c.res
    const { method, path } = c.req
    const milliseconds = environment.elapsed() - since
    metrics.countRequest(routePath(c, -1), status, milliseconds / 1000)
    // A request that was refused before it was identified has no identity.
    const { id: identity } = (c.get('identity') as RouteVariables['identity'] | undefined) ?? {}
    const runId = headers.get('x-run-id')
    log({
      level: 'info',
      message: 'request',
      method,
      path,
      status,
      ms: Math.round(milliseconds),
      ...(identity === undefined ? {} : { identity }),
      ...(runId === null ? {} : { runId }),
    })
  })
}
