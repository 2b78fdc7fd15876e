import type { Hono } from 'hono'
import type { RouteVariables, Services } from '../context.ts'

/** Asked by whatever looks after the server, which may know it by its address alone. */
export const PROBES = ['/healthz', '/readyz'] as const

/** Whether the server lives, and whether it can work. Nobody has to say who he is. */
export function healthRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  { storage }: Services,
): void {
  app.get('/healthz', (c) => c.text('ok'))
  // Anybody may ask, and it is something to be written: those who ask at a time are told together.
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
  app.get('/metrics', (c) => c.text(metrics.print(runs.activeRuns)))
}
