import type { Config, Context, JsonObject } from '@braidwork/plugin'
import { providerError } from './errors.ts'
import { createStreaming, type State, type Streaming } from './exchange.ts'
import type { Gathering, Piece, StreamFormat } from './format.ts'
import type { Access } from './http/access.ts'
import type { Client } from './http/client.ts'
import { httpClient } from './http/http-client.ts'
import { type AnswerContext, type HttpApi, modelsOf } from './http-api.ts'
import { type Sampling, samplingOf, settingsOf } from './settings.ts'
import { givenBody, givenPieces } from './table-answers.ts'
import { neutralDefaults, ownDefaults } from './table-settings.ts'

const CALL_IDS: StreamFormat['callIds'] = { pattern: /^[\w-]+$/, longest: 64 }
const NO_FILES: StreamFormat['files'] = { types: /^$/, largest: 0 }

/** The hooks of a provider that is given as a table. */
export function exchangeOf(api: HttpApi): { readonly exchange: Streaming<State> } {
  const format = formatOf(api)
  const exchange = createStreaming<State>({
    connect: (access) => connect(api, access),
    models: api.modelsPath ?? '/models',
    init: (config) => ({ api: 'http', model: modelOf(api, config) }),
    formatOf: () => format,
  })
  return { exchange }
}

function modelOf(api: HttpApi, config: Config): string {
  const model = config.model ?? modelsOf(api, config)[0]
  if (model !== undefined && model !== '') return model
  const advice = `Set "model", or settings.${api.name}.models.`
  throw providerError('MODEL_UNKNOWN', `No model is named. ${advice}`, { pointer: '/model' })
}

async function connect({ needsKey = true, keyHeaders }: HttpApi, access: Access): Promise<Client> {
  return httpClient(access, { needsKey, ...(keyHeaders ? { keyHeaders } : {}) })
}

function formatOf(api: HttpApi): StreamFormat {
  const { path, framing, callIds = CALL_IDS, files = NO_FILES, isLast, errorIn } = api
  return {
    profile: api,
    path,
    callIds,
    files,
    ...(framing ? { framing } : {}),
    request: (input) => bodyOf(api, input),
    streaming: (body) => body,
    ending: {
      wholeWith: (line) => isLast?.(line) || undefined,
      hasDone: true,
      endsWithBody: isLast === undefined,
      ...(errorIn ? { errorIn } : {}),
    },
    wholeAsChunk: (answer) => answer,
    gather: (context) => new PiecesOfLines(api, context),
  }
}

type Input = Parameters<StreamFormat['request']>[0]

function bodyOf(api: HttpApi, input: Input): JsonObject | Promise<JsonObject> {
  const settings = { ...ownDefaults(api), ...settingsOf(input.config, api) }
  const sampling = { ...neutralDefaults(api), ...samplingFor(api, input, settings) }
  const body = api.request({ ...input, settings, sampling })
  const completed = (given: unknown) => ({ ...givenBody(given, api), ...settings.body })
  return body instanceof Promise ? body.then(completed) : completed(body)
}

/** The neutral keys that the API has. A warning tells those that it lacks. */
function samplingFor(
  { sampling: known, title }: HttpApi,
  { config, warn }: Pick<Input, 'config' | 'warn'>,
  settings: Sampling,
): Sampling {
  const all = samplingOf(config, settings)
  if (!known) return all
  const has = (key: string): boolean => known.some((one) => one === key)
  const lacking = Object.keys(all).filter((key) => !has(key))
  for (const key of lacking) warn(`${title} has no "${key}": it is left out.`)
  return Object.fromEntries(Object.entries(all).filter(([key]) => has(key)))
}

/** The host makes events and the message of the pieces. */
class PiecesOfLines implements Gathering {
  readonly held = 0
  readonly #api: HttpApi
  readonly #context: AnswerContext

  constructor(api: HttpApi, context: Context) {
    this.#api = api
    this.#context = context
  }

  add(line: JsonObject): readonly Piece[] {
    return givenPieces(this.#api.answer(line, this.#context), this.#api)
  }

  end(): { readonly events: readonly Piece[] } {
    return { events: [] }
  }
}
