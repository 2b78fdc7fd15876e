import type { Hono } from 'hono'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { ownStorage } from '../own-storage.ts'
import { assertParameters, withParameter } from '../parameter.ts'
import { withoutHostTools } from '../plain-model.ts'

/** The routes that explain a config: which plugins are on or off and why, and which tools the model is offered. */
export function insightRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { host, catalog, quotas } = services
  const hostOf = (c: RouteContext) => ownStorage(host, c.get('identity'), quotas)
  const configOf = (c: RouteContext) => {
    const identity = c.get('identity')
    const { config } = catalog.find(identity, c.req.query('agent'))
    return identity.host_tools === 'none' ? withoutHostTools(host, config) : config
  }

  app.get('/api/explain', async (c) => {
    assertParameters(c, ['agent', 'plugin'])
    const plugin = c.req.query('plugin')
    const options = plugin === undefined ? {} : { plugin }
    const explained = hostOf(c).explain(configOf(c), options)
    return c.json({ plugins: await withParameter('plugin', 'PLUGIN_UNKNOWN', explained) })
  })

  app.get('/api/tools', async (c) => {
    assertParameters(c, ['agent', 'all'])
    const shown = hostOf(c)
    if (c.req.query('all') === undefined) {
      return c.json({ tools: await shown.toolSchemas(configOf(c)) })
    }
    return c.json({ tools: await shown.toolSchemas(configOf(c), { inventory: true }) })
  })
}
