import type { OpenedConfig } from '@braidwork/core'
import { unknownOption } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { GenerateResult, StreamPart } from './answer-types.ts'
import { generate, streamed, type ToPart } from './call.ts'
import type { CallOptions } from './call-types.ts'
import type { LanguageModel5, LanguageModel6, LanguageModel7 } from './models.ts'
import { part5, part6, result5, result6 } from './older.ts'

/** Options of {@link asLanguageModel}. */
export interface LanguageModelOptions {
  /** The major version of the AI SDK whose interface the model has. The default is 7. */
  readonly sdk?: 5 | 6 | 7
}

/**
 * Makes a language model of the AI SDK out of an opened config: `streamText({ model: asLanguageModel(opened) })`. Each
 * call is one request with the tools of the call. The AI SDK runs them; the model is not shown the tools of plugins. The
 * config stays open: end it after the last call.
 *
 * Calls fail with an error that the AI SDK knows as its `APICallError` for what the model API does, and with a
 * `HostError` for all else.
 * @throws {HostError} OPTION_INVALID for another version, an unknown option, or anything but an opened config
 */
export function asLanguageModel(
  opened: OpenedConfig,
  options?: { readonly sdk?: 7 },
): LanguageModel7
export function asLanguageModel(opened: OpenedConfig, options: { readonly sdk: 6 }): LanguageModel6
export function asLanguageModel(opened: OpenedConfig, options: { readonly sdk: 5 }): LanguageModel5
export function asLanguageModel(
  opened: OpenedConfig,
  options: LanguageModelOptions = {},
): LanguageModel5 | LanguageModel6 | LanguageModel7 {
  assertOpened(opened)
  assertOptions(options)
  const { sdk = 7 } = options
  const about = factsOf(opened)
  switch (sdk) {
    case 7:
      return {
        specificationVersion: 'v4',
        ...about,
        ...calls(opened, unchanged<StreamPart>, unchanged),
      }
    case 6:
      return { specificationVersion: 'v3', ...about, ...calls(opened, part6, result6) }
    case 5:
      return { specificationVersion: 'v2', ...about, ...calls(opened, part5, result5) }
    default:
      throw new HostError(
        'OPTION_INVALID',
        `"sdk" of asLanguageModel must be the number 5, 6 or 7, and not ${JSON.stringify(sdk)}.`,
        { pointer: '/sdk' },
      )
  }
}

/** A host, or the promise of an opened config, is easily passed in its place. */
function assertOpened(opened: unknown): void {
  const { resolved, reopen } = Object(opened) as Partial<OpenedConfig>
  if (resolved && typeof reopen === 'function') return
  const message =
    'asLanguageModel needs an opened config: asLanguageModel(await host.open(config)).'
  throw new HostError('OPTION_INVALID', message)
}

const OPTIONS = ['sdk'] satisfies (keyof LanguageModelOptions)[]

function assertOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.some((known) => known === name))
  if (unknown !== undefined) throw unknownOption('asLanguageModel', `/${unknown}`, OPTIONS)
}

function factsOf({ resolved }: OpenedConfig) {
  return {
    provider: `braidwork.${resolved.plugins.provider.name}`,
    modelId: resolved.config.model ?? 'default',
    // Every model API that takes images takes their addresses. Other files are loaded by the AI SDK.
    supportedUrls: { 'image/*': [/^https:\/\//] },
  }
}

/** The two ways to call, for one version. */
function calls<P, R>(
  opened: OpenedConfig,
  toPart: ToPart<P>,
  toResult: (result: GenerateResult) => R,
) {
  return {
    doGenerate: async (options: CallOptions): Promise<R> =>
      toResult(await generate(opened, options)),
    doStream: async (options: CallOptions) => ({
      stream: await streamed(opened, options, toPart),
    }),
  }
}

function unchanged<T>(value: T): T {
  return value
}
