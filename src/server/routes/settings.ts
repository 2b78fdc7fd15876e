import { type ConfigLayer, editConfig, type SettingsDocument } from '@braidwork/core'
import { stackLayers, validatorOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import type { Hono } from 'hono'
import { readJson } from '../body.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { OwnFields } from '../own-fields.ts'
import { checkOwnSettings, ownView } from '../own-settings.ts'
import { ownStorage } from '../own-storage.ts'
import { assertParameters, withParameter } from '../parameter.ts'

/** The routes for the settings that callers may change for themselves, as a settings document for any form. */
export function settingsRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { storage, environment, limits, settable, quotas } = services

  app.get('/api/settings', async (c) => c.json(viewFor(c, await documentFor(c, services))))

  app.put('/api/settings', async (c) => {
    const identity = c.get('identity')
    const { id } = identity
    const data = new OwnFields(await readJson(c.req.raw, limits), ['data']).object('data') ?? {}
    const document = await documentFor(c, services)
    checkOwnSettings(document, data, settable)
    const whole = merged(document.data, data)
    const fault = (await validatorOf(document.schema))(whole)
    if (fault) {
      throw new HostError(
        'REQUEST_INVALID',
        `The settings are not valid: ${asSentence(fault.message)}`,
        {
          pointer: `/data${fault.pointer}`,
        },
      )
    }
    const own = ((await storage.settings.load(id)) ?? {}) as ConfigLayer
    const layer = editConfig(own, document, whole) as { readonly [key: string]: unknown }
    await quotas.assertRoom(identity, { bytes: Buffer.byteLength(JSON.stringify(layer)) })
    await storage.settings.save(id, layer, environment.now())
    return c.json(viewFor(c, await documentFor(c, services)))
  })

  app.delete('/api/settings', async (c) => {
    await storage.settings.delete(c.get('identity').id)
    return new Response(null, { status: 204 })
  })

  function viewFor(c: RouteContext, document: SettingsDocument): SettingsDocument {
    return c.get('identity').role === 'admin' ? document : ownView(document, settable)
  }
}

async function documentFor(
  c: RouteContext,
  { host, catalog, storage, quotas }: Services,
): Promise<SettingsDocument> {
  const identity = c.get('identity')
  assertParameters(c, ['agent', 'locale'])
  const { config } = await catalog.find(identity, c.req.query('agent'))
  const own = ((await storage.settings.load(identity.id)) ?? {}) as ConfigLayer
  const locale = c.req.query('locale')
  const options = locale === undefined ? {} : { locale }
  const document = ownStorage(host, identity, quotas).uiSchema(stackLayers(config, own), options)
  return withParameter('locale', 'OPTION_INVALID', document)
}

/** Returns `before` with the values of `after` merged in, recursively. */
function merged(before: object, after: object): { readonly [key: string]: unknown } {
  const result: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(after)) {
    const old = result[key]
    const areObjects = isPlain(old) && isPlain(value)
    result[key] = areObjects ? merged(old, value) : value
  }
  return result
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
