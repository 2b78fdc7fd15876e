import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { anthropicModel, anthropicModels, openAIModel, openAIModels } from '../wire/index.ts'

/** The published models in OpenAI's format, or in Anthropic's if the client sends an `anthropic-version` header. */
export function modelRoutes(app: Hono<{ Variables: RouteVariables }>, { catalog }: Services): void {
  app.get('/v1/models', async (c) => {
    const models = await catalog.listFor(c.get('identity'))
    return c.json(isAnthropic(c) ? anthropicModels(models) : openAIModels(models))
  })

  app.get('/v1/models/:name', async (c) => {
    const name = c.req.param('name')
    const models = await catalog.listFor(c.get('identity'))
    const model = models.find((one) => one.name === name)
    if (!model) throw new HostError('MODEL_UNPUBLISHED', `There is no model "${name}".`)
    return c.json(isAnthropic(c) ? anthropicModel(model) : openAIModel(model))
  })
}

export function isAnthropic(c: RouteContext): boolean {
  return c.req.header('anthropic-version') !== undefined
}
