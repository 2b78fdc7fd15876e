import { ERROR_CODES, HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { forCaller } from '../dialect.ts'
import { ownStorage } from '../own-storage.ts'
import { keyOf } from '../runs/index.ts'
import { systemCode } from '../system-code.ts'
import { conversationOf } from './conversations.ts'

/**
 * The route for actions of plugins in the caller's conversations, such as those of the feature `memory`. It exists for
 * the plugins that the option `actions` lists: other plugins may have actions that only a program should run.
 */
export function actionRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  app.post('/api/conversations/:id/actions/:plugin/:action', async (c) =>
    c.json({ result: await acted(c, services) }),
  )
}

/** @throws {HostError} METHOD_UNKNOWN, CONVERSATION_UNKNOWN, REQUEST_INVALID, and those of `host.runAction` */
async function acted(c: RouteContext, services: Services): Promise<unknown> {
  const { host, quotas, runs, limits } = services
  assertListed(services.actions, c.req.param('plugin') ?? '')
  const { owner, id, agent } = await conversationOf(c, services)
  const input = await readJson(c.req.raw, limits)
  const identity = c.get('identity')
  const order = { protocol: 'ui-message-stream', agent, settings: {}, asks: true } as const
  const { plan } = await runs.work.plans.planFor(identity, order, id)
  const { plugin = '', action = '' } = c.req.param()
  const options = { ...keyOf({ owner, conversationId: id }), signal: c.req.raw.signal }
  const own = ownStorage(host, identity, quotas)
  const result = own.runAction(plugin, action, input, plan.config, options)
  return (await result.catch(throwShown)) ?? null
}

/** @throws {HostError} METHOD_UNKNOWN */
function assertListed(listed: readonly string[], plugin: string): void {
  if (listed.includes(plugin)) return
  throw new HostError(
    'METHOD_UNKNOWN',
    `The server runs no actions of a plugin "${plugin.slice(0, 100)}". The config lists those whose actions it runs, as "server.actions".`,
  )
}

/** Refusals of the host that are about the request. */
const REFUSALS: ReadonlySet<string> = new Set(['OPTION_INVALID', 'PLUGIN_OFF'])

/**
 * Throws an error again, so that the caller may read it if it refuses the request: by a code that the plugin itself
 * gives, which is neither one of the host nor of the system.
 */
function throwShown(error: unknown): never {
  if (!HostError.is(error)) throw error
  const isSystem = systemCode(error) !== undefined || error.code.startsWith('ERR_')
  const isOfPlugin = error.hook === 'runAction' && !Object.hasOwn(ERROR_CODES, error.code)
  throw REFUSALS.has(error.code) || (isOfPlugin && !isSystem) ? forCaller(error) : error
}
