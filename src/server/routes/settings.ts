import { type ConfigLayer, editConfig, type SettingsDocument } from '@braidwork/core'
import { settingsView, stackLayers } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../body.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { OwnFields } from '../own-fields.ts'
import { NEUTRAL, ownView } from '../own-settings.ts'
import { ownStorage } from '../own-storage.ts'
import { assertParameters, isTrial, withParameter } from '../parameter.ts'
import { changedSettings } from '../settings-change.ts'
import {
  deleteSettings,
  type SettingsPlace,
  saveSettings,
  settingsAt,
  settingsFor,
} from '../stored-settings.ts'
import { chatPlace } from './chat-place.ts'

const PARAMETERS = ['agent', 'conversation', 'locale', 'format', 'trial']

/**
 * The routes for the settings that callers may change for themselves, or for one of their conversations, as a settings
 * document for any form.
 */
export function settingsRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { storage, environment, limits, settable, quotas } = services

  app.get('/api/settings', async (c) => {
    const { document } = await documentFor(c, services)
    return c.json(viewFor(c, document))
  })

  app.put('/api/settings', async (c) => {
    const input = new OwnFields(await readJson(c.req.raw, limits), ['data', 'unset'])
    const change = { data: input.object('data') ?? {}, unset: input.texts('unset') ?? [] }
    const { document, place } = await documentFor(c, services)
    const data = await changedSettings(document, change, settable)
    const layer = editConfig(await settingsAt(storage, place), document, data) as OwnLayer
    if (isTrial(c)) {
      const tried = await documentFor(c, services, layer)
      return c.json(viewFor(c, tried.document))
    }
    const bytes = Buffer.byteLength(JSON.stringify(layer))
    await quotas.assertRoom(c.get('identity'), { bytes })
    await saveSettings(storage, place, { layer, now: environment.now() })
    return c.json(viewFor(c, (await documentFor(c, services)).document))
  })

  app.delete('/api/settings', async (c) => {
    assertParameters(c, PARAMETERS)
    await deleteSettings(storage, (await placeOf(c, services)).place)
    return new Response(null, { status: 204 })
  })

  /** The document in the format of a form, with the pointers that the caller may change. */
  function viewFor(c: RouteContext, document: SettingsDocument): object {
    const isAdmin = c.get('identity').role === 'admin'
    const shown = isAdmin ? document : ownView(document, settable)
    const view = c.req.query('format') === 'rjsf' ? settingsView(shown, { format: 'rjsf' }) : {}
    return { ...shown, ...view, settable: [...NEUTRAL, ...settable] }
  }
}

type OwnLayer = ConfigLayer & { readonly [key: string]: unknown }

interface Shown {
  readonly document: SettingsDocument
  readonly place: SettingsPlace
}

async function placeOf(c: RouteContext, services: Services) {
  const { agent, conversationId } = await chatPlace(c, services)
  return { agent, place: { owner: c.get('identity').id, conversationId } }
}

/** The settings of a request's place. @param tried settings of the place that are not stored */
async function documentFor(c: RouteContext, services: Services, tried?: OwnLayer): Promise<Shown> {
  const { host, catalog, storage, quotas } = services
  const identity = c.get('identity')
  assertParameters(c, PARAMETERS)
  assertFormat(c.req.query('format'))
  const { agent, place } = await placeOf(c, services)
  const { config } = await catalog.find(identity, agent)
  const locale = c.req.query('locale')
  const options = locale === undefined ? {} : { locale }
  const layers = stackLayers(config, await settingsFor(storage, place, tried))
  const document = ownStorage(host, identity, quotas).uiSchema(layers, options)
  return { document: await withParameter('locale', 'OPTION_INVALID', document), place }
}

/** @throws {HostError} REQUEST_INVALID */
function assertFormat(format: string | undefined): void {
  if (format === undefined || format === 'rjsf') return
  throw new HostError('REQUEST_INVALID', '"format" must be "rjsf".', { pointer: '/format' })
}
