import { editConfig, type SettingsDocument } from '@braidwork/core'
import { stackLayers, validatorOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import type { Hono } from 'hono'
import { readJson } from '../body.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { OwnFields } from '../own-fields.ts'
import { checkOwnSettings, NEUTRAL, ownView } from '../own-settings.ts'
import { ownStorage } from '../own-storage.ts'
import { assertParameters, withParameter } from '../parameter.ts'
import {
  deleteSettings,
  type SettingsPlace,
  saveSettings,
  settingsAt,
  settingsFor,
} from '../stored-settings.ts'
import { chatPlace } from './chat-place.ts'

/**
 * The routes for the settings that callers may change for themselves, or for one of their conversations, as a settings
 * document for any form.
 */
export function settingsRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { storage, environment, limits, settable, quotas } = services

  app.get('/api/settings', async (c) => c.json(viewFor(c, await documentFor(c, services))))

  app.put('/api/settings', async (c) => {
    const identity = c.get('identity')
    const data = new OwnFields(await readJson(c.req.raw, limits), ['data']).object('data') ?? {}
    const { document, place } = await documentFor(c, services)
    checkOwnSettings(document, data, settable)
    const whole = merged(document.data, data)
    await assertFits(document, whole)
    const own = await settingsAt(storage, place)
    const layer = editConfig(own, document, whole) as { readonly [key: string]: unknown }
    await quotas.assertRoom(identity, { bytes: Buffer.byteLength(JSON.stringify(layer)) })
    await saveSettings(storage, place, { layer, now: environment.now() })
    return c.json(viewFor(c, await documentFor(c, services)))
  })

  app.delete('/api/settings', async (c) => {
    await deleteSettings(storage, (await placeOf(c, services)).place)
    return new Response(null, { status: 204 })
  })

  /** The document with the pointers that the caller may change. */
  function viewFor(c: RouteContext, { document }: Shown): ShownSettings {
    const isAdmin = c.get('identity').role === 'admin'
    const shown = isAdmin ? document : ownView(document, settable)
    return { ...shown, settable: [...NEUTRAL, ...settable] }
  }
}

/** @throws {HostError} REQUEST_INVALID, with a pointer into the request */
async function assertFits(document: SettingsDocument, data: object): Promise<void> {
  const fault = (await validatorOf(document.schema))(data)
  if (!fault) return
  const message = `The settings are not valid: ${asSentence(fault.message)}`
  throw new HostError('REQUEST_INVALID', message, { pointer: `/data${fault.pointer}` })
}

interface ShownSettings extends SettingsDocument {
  /** JSON pointers into `data`: of what the caller may change. */
  readonly settable: readonly string[]
}

interface Shown {
  readonly document: SettingsDocument
  readonly place: SettingsPlace
}

async function placeOf(c: RouteContext, services: Services) {
  const { agent, conversationId } = await chatPlace(c, services)
  return { agent, place: { owner: c.get('identity').id, conversationId } }
}

async function documentFor(c: RouteContext, services: Services): Promise<Shown> {
  const { host, catalog, storage, quotas } = services
  const identity = c.get('identity')
  assertParameters(c, ['agent', 'conversation', 'locale'])
  const { agent, place } = await placeOf(c, services)
  const { config } = await catalog.find(identity, agent)
  const locale = c.req.query('locale')
  const options = locale === undefined ? {} : { locale }
  const layers = stackLayers(config, await settingsFor(storage, place))
  const document = ownStorage(host, identity, quotas).uiSchema(layers, options)
  return { document: await withParameter('locale', 'OPTION_INVALID', document), place }
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
