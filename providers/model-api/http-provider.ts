import type { Config, JsonObject, ModelInfo, Provider } from '@braidwork/plugin'
import type { State } from './exchange.ts'
import type { Access } from './http/access.ts'
import { connectionCheck } from './http/connection-fault.ts'
import type { Fetch } from './http/transport.ts'
import { type HttpApi, modelsOf, type OwnSettings } from './http-api.ts'
import { loadingSoon } from './load-soon.ts'
import { modelData } from './model-data.ts'
import { lazyStreamingHooks } from './provider.ts'
import { settingsOf } from './settings.ts'
import { checkTable } from './table-check.ts'
import { ownDefaults, tableSchema } from './table-settings.ts'

/** A provider that {@link httpProvider} made. */
export type HttpProvider = Provider<JsonObject, State, JsonObject>

/**
 * Makes a provider for a model API over HTTP. It has the settings form, requests with limits and retries, errors with
 * codes, repaired histories, cancelling, and the list of models.
 * @throws {HostError} OPTION_INVALID, with a pointer into the table
 * @param options - `fetch`: sends the requests instead of Node's HTTP client
 */
export function httpProvider<
  const Own extends OwnSettings = Record<never, never>,
  Line extends object = JsonObject,
>(api: HttpApi<Own, Line>, { fetch }: { readonly fetch?: Fetch } = {}): HttpProvider {
  checkTable(api)
  const table = api as unknown as HttpApi
  const accessOf = (config: Config): Access => ({
    profile: api,
    settings: { ...ownDefaults(table), ...settingsOf(config, api) },
    fetch,
  })
  const { refreshModels, ...hooks } = lazyStreamingHooks(accessOf, async () =>
    (await import('./http-exchange.ts')).exchangeOf(table),
  )
  return {
    kind: 'provider',
    name: api.name,
    ...connectionCheck(),
    configSchema: tableSchema(table),
    toolSchemaFormat: api.toolSchemaFormat ?? 'json-schema',
    getModels: (config) => modelsOf(table, config),
    getModelInfo: (id) => infoOf(table, id),
    getTags: loadingSoon(
      (config, models) => tagsOf(table, config.model ?? models[0] ?? ''),
      () => [import('./http-exchange.ts')],
    ),
    ...(api.modelsPath !== undefined && refreshModels ? { refreshModels } : {}),
    ...hooks,
  }
}

async function infoOf({ models, priceList }: HttpApi, id: string): Promise<ModelInfo> {
  const known = Object.hasOwn(models, id) ? models[id] : undefined
  if (priceList !== undefined) return modelData(id, { list: priceList, known })
  const { listedAs: _listedAs, ...own } = known ?? {}
  return own
}

function tagsOf({ name, tags = [] }: HttpApi, model: string): readonly string[] {
  const own = typeof tags === 'function' ? tags(model) : tags
  return [name, 'text', 'streaming', 'history-repair', ...own]
}
