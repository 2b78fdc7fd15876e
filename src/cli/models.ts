import type { Host } from '@braidwork/core'
import type { ModelInfo } from '@braidwork/plugin'
import { jsonText } from './characters.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'
import { shorten, stylesOf, table } from './terminal.ts'

export interface ModelsOptions extends ConfigOptions {
  readonly json?: boolean
  readonly refresh?: boolean
}

const HEAD = ['', 'MODEL', 'WINDOW', 'LONGEST OUTPUT', 'TAKES', 'GIVES', 'USD FOR A MILLION TOKENS']

/** `braidwork models`: lists the models that the provider offers for the config; `--refresh` asks its API. */
export async function modelsCommand(options: ModelsOptions): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  // A host takes the first model of a list that it refreshed. Another command does not know that list.
  const { model: chosen } = await host.resolve()
  const named = options.refresh ? await host.refreshModels() : undefined
  const resolution = await host.resolve()
  reportDiagnostics([...diagnostics, ...resolution.diagnostics])
  const ids = named ?? resolution.models
  const models = await Promise.all(ids.map((id) => describe(host, id)))
  if (options.json) {
    process.stdout.write(`${jsonText(models, 2)}\n`)
    return EXIT.ok
  }
  if (models.length === 0) {
    const advice = named ? '' : '; "braidwork models --refresh" asks the API of the provider'
    process.stderr.write(`Provider "${resolution.provider}" names no models${advice}.\n`)
    return EXIT.ok
  }
  const rows = models.map((model) => rowOf(model, chosen))
  process.stdout.write(table([HEAD, ...rows], stylesOf(process.stdout).dim))
  return EXIT.ok
}

async function describe(host: Host, id: string) {
  return { id, ...(await host.modelInfo(undefined, id)) }
}

/** A model as a table row; `*` marks the model that the config selects. */
function rowOf(model: ModelInfo & { readonly id: string }, chosen: string | undefined): string[] {
  const { id, contextWindow, maxOutputTokens, input = [], output = [], price = {} } = model
  return [
    id === chosen ? '*' : '',
    // The id comes from the API, so it must stay on one line. It is not shortened, so that it can be copied.
    shorten(id, Number.POSITIVE_INFINITY),
    amount(contextWindow),
    amount(maxOutputTokens),
    input.join(', ') || UNKNOWN,
    output.join(', ') || UNKNOWN,
    ratesIn(price),
  ]
}

const UNKNOWN = '-'

function amount(tokens: number | undefined): string {
  return tokens?.toLocaleString('en') ?? UNKNOWN
}

const RATES = [
  ['input', 'in'],
  ['output', 'out'],
  ['cacheRead', 'cache read'],
  ['cacheWrite', 'cache write'],
] as const

function ratesIn(price: NonNullable<ModelInfo['price']>): string {
  const rates = RATES.flatMap(([key, word]) =>
    price[key] === undefined ? [] : [`${price[key]} ${word}`],
  )
  const more = price.tiers?.length ? ', more for long input' : ''
  return rates.length > 0 ? `${rates.join(', ')}${more}` : UNKNOWN
}
