import type { Hono } from 'hono'
import type { Services, Variables } from '../context.ts'

/** Whether the server lives, and whether it can work. Nobody has to say who he is. */
export function healthRoutes(app: Hono<{ Variables: Variables }>, { storage }: Services): void {
  app.get('/healthz', (c) => c.text('ok'))
  app.get('/readyz', async (c) => {
    await storage.check()
    return c.text('ok')
  })
}

export function metricsRoutes(
  app: Hono<{ Variables: Variables }>,
  { metrics, runs }: Services,
): void {
  app.get('/metrics', (c) => c.text(metrics.print(runs.activeRuns)))
}
