import type { Hono } from 'hono'
import type { RouteVariables, Services } from '../context.ts'

/** The paths that load balancers and supervisors request, which may know the server only by its IP address. */
export const PROBES = ['/healthz', '/readyz'] as const

/** The routes that tell whether the server is alive and whether it is ready. They need no authentication. */
export function healthRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  { storage }: Services,
): void {
  app.get('/healthz', (c) => c.text('ok'))
  // The check writes to the storage, and anyone may call it, so concurrent requests share one check.
  let checking: Promise<void> | undefined
  app.get('/readyz', async (c) => {
    checking ??= storage.check().finally(() => {
      checking = undefined
    })
    await checking
    return c.text('ok')
  })
}

export function metricsRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  { metrics, runs }: Services,
): void {
  app.get('/metrics', async (c) => c.text(await metrics.print(runs.activeRuns)))
}
