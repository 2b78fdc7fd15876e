import { LoadProcess } from '../../../test/server/load/processes.ts'
import { textOf } from '../../../test/server/load/stamps.ts'
import type { InstalledCommand } from '../../install/packed.ts'
import { API_MODELS, type ApiModel } from './api-models.ts'
import { type AttackedConfig, AttackedServer } from './attacked-server.ts'
import { BOMB_NAMES } from './bomb-names.ts'
import type { BystanderAnswer, BystanderQuestion } from './bystander.ts'
import type { ApiUse } from './model-api.ts'
import { MONITOR, tokenOf } from './tokens.ts'

/** The honest client. Each attack has identities of its own. */
export const BYSTANDER = tokenOf('bystander')
/** The number of pieces in the answers for the honest client. */
export const WORDS = 20
const SLOW_WORDS = 2000
const PAUSE = 20

/** The target of the attacks: a server, its model API, and an honest client that keeps sending requests. */
export class Target {
  readonly server: AttackedServer
  readonly #api: LoadProcess
  readonly #bystander: LoadProcess

  private constructor(server: AttackedServer, api: LoadProcess, bystander: LoadProcess) {
    this.server = server
    this.#api = api
    this.#bystander = bystander
  }

  static async start(
    installation: InstalledCommand,
    identities: readonly string[],
    plugins: readonly string[],
    execArgv: readonly string[] = [],
  ): Promise<Target> {
    const api = await LoadProcess.start(new URL('./model-api.ts', import.meta.url).href)
    const bystander = await LoadProcess.start(new URL('./bystander.ts', import.meta.url).href)
    try {
      const { url } = await api.ask<ApiUse>({})
      const config = configFor(url, identities, plugins)
      return new Target(
        await AttackedServer.start(installation, config, { execArgv }),
        api,
        bystander,
      )
    } catch (error) {
      await Promise.all([api.end(), bystander.end()])
      throw error
    }
  }

  apiUse(): Promise<ApiUse> {
    return this.#api.ask({})
  }

  async watch(): Promise<void> {
    const { url } = this.server
    const begin = { url, answers: { token: BYSTANDER, model: 'quick', words: WORDS } }
    await this.#bystander.ask({ begin } satisfies BystanderQuestion)
  }

  seen(): Promise<BystanderAnswer> {
    return this.#bystander.ask({})
  }

  async end(): Promise<void> {
    await Promise.all([this.server.stop(), this.#api.end(), this.#bystander.end()])
  }
}

/** Lower limits for attacks that would take too long with the default ones. */
const SHORTER: { readonly [way: string]: object } = {
  'endless-deltas': { answer_bytes: 8 << 20, stream_bytes: 32 << 20 },
  'endless-data': { stream_bytes: 64 << 20 },
  'empty-chunks': { stream_idle: 2, answer: 10 },
}

function configFor(
  api: string,
  identities: readonly string[],
  plugins: readonly string[],
): AttackedConfig {
  const ways = ['faithful', 'zipped', 'calling', 'slow', ...BOMB_NAMES]
  const models = ways.flatMap((way) =>
    API_MODELS.map((model) => {
      const limits = SHORTER[way] ?? {}
      return [`${way}-${model}`, { config: { ...apiConfig(`${api}/${way}`, model), limits } }]
    }),
  )
  const script = [{ then: { text: textOf(WORDS), chunks: 3 } }]
  const long = [{ then: { text: textOf(SLOW_WORDS) } }]
  return {
    plugins,
    provider: 'scripted',
    settings: { scripted: { script, delay_ms: 0 } },
    server: {
      tokens: [MONITOR, ...['bystander', ...identities].map((id) => ({ id, token: tokenOf(id) }))],
      models: {
        quick: {},
        slow: { config: { settings: { scripted: { script: long, delay_ms: PAUSE } } } },
        ...Object.fromEntries(models),
      },
      cancel_after_ms: 1000,
    },
  }
}

/** The config of a model. The first part of the API's path names the kind of answer. */
function apiConfig(url: string, model: ApiModel): object {
  const provider = model === 'openai-chat' ? 'openai' : model
  const settings = {
    base_url: model === 'anthropic' ? url : `${url}/v1`,
    api_key: 'key-of-nobody',
    models: ['m'],
    max_retries: 0,
    ...(model === 'openai-chat' ? { api: 'chat' } : {}),
  }
  return { provider, model: 'm', settings: { [provider]: settings } }
}
