import { pathToFileURL } from 'node:url'
import { defined, providerError } from '@braidwork/model-api/exchange'
import type { Config } from '@braidwork/plugin'
import { type LanguageModel, SPECIFICATIONS } from './model-types.ts'
import { entryOf, exportNamed } from './package-entry.ts'
import { type AiSdkSettings, NAME, settingsOf } from './settings.ts'

/** A provider of the AI SDK: a function that makes models, or an object with methods that do. */
export type AiSdkProvider = object

/** The model that a config names, and what its provider is called in messages. */
export interface LoadedModel {
  readonly model: LanguageModel
  readonly title: string
}

/**
 * Makes the model of a config. A program may give the provider itself; otherwise the settings name its package.
 * @throws SETTINGS_INVALID, PACKAGE_MISSING or MODEL_UNKNOWN, with the setting to change
 */
export async function loadModel(
  config: Config,
  id: string,
  given: AiSdkProvider | undefined,
): Promise<LoadedModel> {
  const settings = settingsOf(config)
  if (id === '')
    throw invalid('models', `No model is named. Set "model", or settings.${NAME}.models.`)
  if (given) return { model: modelOf(given, id, settings), title: 'The AI SDK provider' }
  const { npm_package: name } = settings
  if (name === undefined) {
    const example = `for example to "@ai-sdk/openai"`
    throw invalid('npm_package', `Set settings.${NAME}.npm_package, ${example}.`)
  }
  const named = exportNamed(name)
  const exported = await importFrom(entryOf(named), named.package)
  const provider = factoryOf(exported, named.package, settings)(factoryOptions(settings))
  if (!isProvider(provider)) {
    throw invalid('factory', `The factory of "${named.package}" makes no provider of models.`)
  }
  return { model: modelOf(provider, id, settings), title: named.package }
}

async function importFrom(file: string, name: string): Promise<object> {
  try {
    return (await import(/* webpackIgnore: true */ pathToFileURL(file).href)) as object
  } catch (error) {
    const message = `The package "${name}" cannot be loaded: ${String(error)}`
    throw Object.assign(invalid('npm_package', message), { cause: error })
  }
}

type Factory = (options: object) => unknown

/** The export that the settings name, or the only one that is called like a factory. */
function factoryOf(exported: object, name: string, { factory }: AiSdkSettings): Factory {
  const functions = new Map(Object.entries(exported).filter(isFunctionEntry))
  const makers = [...functions.keys()].filter((key) => /^create[A-Z]/.test(key))
  const found = functions.get(factory ?? makers[0] ?? '')
  const isOne = new Set(makers.map((key) => functions.get(key))).size === 1
  if (found && (factory !== undefined || isOne)) return found
  const known = makers.length > 0 ? ` Its factories are ${makers.join(', ')}.` : ''
  const fault =
    factory === undefined
      ? `The package "${name}" has ${makers.length === 0 ? 'no factory' : 'several factories'}`
      : `The package "${name}" has no function "${factory}"`
  throw invalid('factory', `${fault}.${known} Set settings.${NAME}.factory.`)
}

function isFunctionEntry(entry: [string, unknown]): entry is [string, Factory] {
  return typeof entry[1] === 'function'
}

function factoryOptions(settings: AiSdkSettings): object {
  const { api_key: apiKey, base_url: baseURL, headers } = settings
  return {
    ...settings.options,
    ...settings.secret_options,
    ...defined({ apiKey, baseURL, headers }),
  }
}

function isProvider(value: unknown): value is AiSdkProvider {
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
}

function modelOf(provider: AiSdkProvider, id: string, settings: AiSdkSettings): LanguageModel {
  const { api = 'languageModel' } = settings
  const methods = provider as { readonly [method: string]: unknown }
  const method = methods[api] ?? (settings.api === undefined ? provider : undefined)
  if (typeof method !== 'function') throw invalid('api', noMethod(api, methods))
  const model: unknown = method.call(provider, id)
  if (!isAnyModel(model)) {
    throw invalid('api', `The method "${api}" of the provider makes no language model.`)
  }
  if (!SPECIFICATIONS.some((one) => one === model.specificationVersion)) {
    const known = `The provider "${NAME}" knows ${SPECIFICATIONS.join(', ')}, which are those of AI SDK 5, 6 and 7.`
    const found = `The package makes models of the specification "${String(model.specificationVersion)}".`
    throw invalid(
      'npm_package',
      `${found} ${known} Install a version of the package for one of them.`,
    )
  }
  return model as LanguageModel
}

/** Models are objects of classes. Their version is not known yet. */
function isAnyModel(value: unknown): value is { readonly specificationVersion: unknown } {
  if (typeof value !== 'object' || value === null) return false
  return 'specificationVersion' in value && 'doStream' in value && 'doGenerate' in value
}

function noMethod(api: string, methods: object): string {
  const known = Object.entries(methods).flatMap(([name, value]) =>
    typeof value === 'function' && !/embed|image|speech|transcription/i.test(name) ? [name] : [],
  )
  const list = known.length > 0 ? ` It has ${known.join(', ')}.` : ''
  return `The provider has no method "${api}".${list} Set settings.${NAME}.api.`
}

function invalid(setting: string, message: string): Error {
  const pointer = `/settings/${NAME}/${setting}`
  return providerError('SETTINGS_INVALID', message, { pointer, retryable: false })
}
