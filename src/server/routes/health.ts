import type { Environment } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import type { RouteVariables, Services } from '../context.ts'

/** The paths that load balancers and supervisors request, which may know the server only by its IP address. */
export const PROBES = ['/healthz', '/readyz'] as const

/** The path of the metrics. The server's prefix is for its proxy, and what monitors a server asks the server itself. */
export const METRICS = '/metrics'

/** How long the storage may take to tell whether it works, in milliseconds. */
const CHECK_TIMEOUT = 5000

/** Whether a server wants requests. */
export interface Readiness {
  /** It is about to stop, and load balancers should send no more requests to it. */
  readonly isDraining: boolean
}

/**
 * The routes that tell whether the server is alive and whether it is ready, also without the server's prefix. They need no
 * authentication.
 */
export function healthRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  { storage, environment }: Services,
  {
    readiness,
    basePath = '',
  }: { readonly readiness: Readiness; readonly basePath?: string | undefined },
): void {
  const [alive, ready] = PROBES.map((path) => [path, `${basePath}${path}`])
  app.on('GET', alive ?? [], (c) => c.text('ok'))
  // The check writes to the storage, and anyone may call it, so concurrent requests share one check.
  let checking: Promise<void> | undefined
  app.on('GET', ready ?? [], async (c) => {
    if (readiness.isDraining) throw draining()
    checking ??= storage.check().finally(() => {
      checking = undefined
    })
    await inTime(checking, environment)
    return c.text('ok')
  })
}

function draining(): HostError {
  return new HostError('HOST_CLOSED', 'The server is about to stop.', { retryable: true })
}

/** @throws {HostError} STORAGE_FAILED if the check takes too long; the errors of the check */
async function inTime(checking: Promise<void>, environment: Environment): Promise<void> {
  const answered = new AbortController()
  const late = environment.sleep(CHECK_TIMEOUT, answered.signal).then(() => {
    const message = `The storage did not answer within ${CHECK_TIMEOUT / 1000} seconds.`
    throw new HostError('STORAGE_FAILED', message, { retryable: true })
  })
  try {
    await Promise.race([checking, late])
  } finally {
    answered.abort()
  }
}

/** The route of the metrics, which name all callers: not for a `user`. It has no prefix. */
export function metricsRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  { metrics, runs }: Services,
): void {
  app.get(METRICS, async (c) => {
    if (c.get('identity').role === 'user') return c.notFound()
    return c.text(await metrics.print(runs.activeRuns))
  })
}
