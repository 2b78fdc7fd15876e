import type { Hono } from 'hono'
import { offeredTools, toolInventory } from '../agent-tools.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { ownStorage } from '../own-storage.ts'
import { assertParameters, withParameter } from '../parameter.ts'
import { chatPlace } from './chat-place.ts'

/** The routes that explain a config: which plugins are on or off and why, and which tools the model is offered. */
export function insightRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { host, quotas, runs } = services
  const hostOf = (c: RouteContext) => ownStorage(host, c.get('identity'), quotas)
  const planOf = async (c: RouteContext) => {
    const { agent, conversationId } = await chatPlace(c, services)
    const order = { protocol: 'ui-message-stream', agent, settings: {}, asks: true } as const
    return (await runs.work.plans.planFor(c.get('identity'), order, conversationId)).plan
  }

  app.get('/api/caller', (c) => {
    assertParameters(c, [])
    const { id, role } = c.get('identity')
    return c.json({ id, role })
  })

  app.get('/api/explain', async (c) => {
    assertParameters(c, ['agent', 'conversation', 'plugin'])
    const plugin = c.req.query('plugin')
    const options = plugin === undefined ? {} : { plugin }
    const explained = hostOf(c).explain((await planOf(c)).config, options)
    return c.json({ plugins: await withParameter('plugin', 'PLUGIN_UNKNOWN', explained) })
  })

  app.get('/api/tools', async (c) => {
    assertParameters(c, ['agent', 'conversation', 'all'])
    const shown = hostOf(c)
    if (c.req.query('all') === undefined) {
      return c.json({ tools: await offeredTools(shown, await planOf(c)) })
    }
    return c.json({ tools: await toolInventory(shown, await planOf(c)) })
  })
}
