import type { Hono } from 'hono'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { ownStorage } from '../own-storage.ts'
import { assertParameters, withParameter } from '../parameter.ts'
import { offeredTools, toolInventory } from '../runs/index.ts'
import { toollessFor, toollessInventory, toollessPlugins } from '../toolless.ts'
import { chatPlace } from './chat-place.ts'

/** The routes that explain a config: which plugins are on or off and why, and which tools the model is offered. */
export function insightRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { host, quotas, runs } = services
  const hostOf = (c: RouteContext) => ownStorage(host, c.get('identity'), quotas)
  const planOf = async (c: RouteContext) => {
    const { agent, conversationId } = await chatPlace(c, services)
    const order = { protocol: 'ui-message-stream', agent, settings: {}, asks: true } as const
    return runs.work.plans.planFor(c.get('identity'), order, conversationId)
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
    const { plan, isToolless } = await planOf(c)
    const explained = hostOf(c).explain(plan.config, options)
    const plugins = await withParameter('plugin', 'PLUGIN_UNKNOWN', explained)
    if (!isToolless) return c.json({ plugins })
    const tools = new Set(host.plugins.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : [])))
    return c.json({ plugins: toollessPlugins(plugins, tools, toollessFor(c.get('identity'))) })
  })

  app.get('/api/tools', async (c) => {
    assertParameters(c, ['agent', 'conversation', 'all'])
    const shown = hostOf(c)
    if (c.req.query('all') === undefined) {
      return c.json({ tools: await offeredTools(shown, (await planOf(c)).plan) })
    }
    const { plan, isToolless } = await planOf(c)
    const tools = await toolInventory(shown, plan)
    if (!isToolless) return c.json({ tools })
    return c.json({ tools: toollessInventory(tools, toollessFor(c.get('identity'))) })
  })
}
