import type { Hono } from 'hono'
import type { RouteContext, RouteVariables, Services } from './context.ts'
import type { Dialect } from './dialect.ts'

/**
 * Tells clients the id of each request in the header that they know: that of its run, or one of its own. Clients show
 * it with errors, and the log has it.
 */
export function nameRequests(
  app: Hono<{ Variables: RouteVariables }>,
  services: Pick<Services, 'environment'>,
  dialectFor: (c: RouteContext) => Dialect,
): void {
  app.use('*', async (c, next) => {
    await next()
    const { idHeader } = dialectFor(c)
    if (idHeader === undefined) return
    c.res.headers.set(idHeader, c.res.headers.get('x-run-id') ?? requestIdOf(c, services))
  })
}

/** Returns the id of a request that began no run. */
export function requestIdOf(
  c: RouteContext,
  { environment }: Pick<Services, 'environment'>,
): string {
  const id = c.get('requestId') ?? environment.newId('request')
  c.set('requestId', id)
  return id
}
