import type { ConfigLayer, SettingsDocument } from '@braidwork/core'
import { pointerPath, settingsView, stackLayers } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { OwnFields } from '../own-fields.ts'
import { ownStorage } from '../own-storage.ts'
import { assertParameters, isTrial, withParameter } from '../parameter.ts'
import {
  type ChangedSettings,
  changedSettings,
  changeFault,
  deleteSettings,
  faultsOf,
  guardedSettings,
  NEUTRAL,
  type OwnLayer,
  ownView,
  type SettingsPlace,
  saveSettings,
  settingsAt,
  settingsFor,
  toolSettingsFaults,
  withLocked,
} from '../settings/index.ts'
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
    await services.host.load()
    const before = await documentFor(c, services)
    const { document, place } = before
    const stored = await settingsAt(storage, place)
    const { layer, changed } = await changedSettings(stored, document, change, {
      settable,
      guarded: guardedSettings(services.host),
    })
    if (isTrial(c)) return c.json(viewFor(c, (await documentFor(c, services, layer)).document))
    await assertFits(c, services, { layer, before, changed })
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
    const shown = withLocked(
      isAdmin ? document : ownView(document, settable),
      guardedSettings(services.host),
    )
    const view = c.req.query('format') === 'rjsf' ? settingsView(shown, { format: 'rjsf' }) : {}
    return { ...shown, ...view, settable: [...NEUTRAL, ...settable] }
  }
}

interface Shown {
  readonly document: SettingsDocument
  readonly place: SettingsPlace
  /** The config that the document is of. */
  readonly layers: ConfigLayer
}

interface Change extends ChangedSettings {
  readonly before: Shown
}

/** @throws {HostError} SETTINGS_INVALID if a change leads to a fault, or leaves one where it is made */
async function assertFits(
  c: RouteContext,
  services: Services,
  { layer, before, changed }: Change,
): Promise<void> {
  const host = ownStorage(services.host, c.get('identity'), services.quotas)
  const { layers } = await layersFor(c, services, layer)
  const known = new Set((await faultsOf(host, before.layers)).map(({ pointer }) => pointer))
  const isNew = ({ pointer = '' }: HostError) =>
    !known.has(pointer) || changed.some((one) => isWithin(pointer, one))
  const fault =
    (await faultsOf(host, layers)).find(isNew) ??
    (await toolSettingsFaults(host, layers, pluginsOf(changed))).find(isNew)
  if (fault) throw changeFault(host, fault)
}

/** The names of the plugins whose settings have changed. */
function pluginsOf(changed: readonly string[]): readonly string[] {
  return changed.flatMap((pointer) => {
    const [root, name] = pointerPath(pointer)
    return root === 'settings' && name !== undefined ? [name] : []
  })
}

function isWithin(pointer: string, other: string): boolean {
  return pointer === other || pointer.startsWith(`${other}/`)
}

async function placeOf(c: RouteContext, services: Services) {
  const { agent, conversationId } = await chatPlace(c, services)
  return { agent, place: { owner: c.get('identity').id, conversationId } }
}

/** The config for a request's place. @param tried settings of the place that are not stored */
async function layersFor(c: RouteContext, services: Services, tried?: OwnLayer) {
  const { catalog, storage } = services
  const { agent, place } = await placeOf(c, services)
  const { config } = await catalog.find(c.get('identity'), agent)
  return { place, layers: stackLayers(config, await settingsFor(storage, place, tried)) }
}

/** The settings of a request's place. @param tried settings of the place that are not stored */
async function documentFor(c: RouteContext, services: Services, tried?: OwnLayer): Promise<Shown> {
  const { host, quotas } = services
  assertParameters(c, PARAMETERS)
  assertFormat(c.req.query('format'))
  const { place, layers } = await layersFor(c, services, tried)
  const locale = c.req.query('locale')
  const options = locale === undefined ? {} : { locale }
  const document = ownStorage(host, c.get('identity'), quotas).uiSchema(layers, options)
  return { document: await withParameter('locale', 'OPTION_INVALID', document), place, layers }
}

/** @throws {HostError} REQUEST_INVALID */
function assertFormat(format: string | undefined): void {
  if (format === undefined || format === 'rjsf') return
  throw new HostError('REQUEST_INVALID', '"format" must be "rjsf".', { pointer: '/format' })
}
