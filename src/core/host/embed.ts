import { type Config, HostError, type ModelInfo } from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import { bindFor, scoped } from './ask-plugin.ts'
import { type HostCore, maskErrors, resolveFor } from './core.ts'
import { modelInfoOf } from './model-info.ts'
import { refuseUnknown } from './option-names.ts'
import { checkGiven } from './settings/added-settings.ts'

/** Texts, or lists of token ids for providers that take them. */
export type EmbedInputs = readonly (string | readonly number[])[]

export interface EmbedOptions {
  /** The length of the vectors. The default is the model's own. */
  readonly dimensions?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The vectors of some inputs. */
export interface Embedded {
  /** One vector for each input, in order; all have the same length. */
  readonly vectors: readonly ArrayLike<number>[]
  /** The tokens of all inputs, if the provider knows them. */
  readonly tokens?: number
  /** The provider's facts about the model. Empty if it states none. */
  readonly modelInfo: ModelInfo
}

interface Asked extends EmbedOptions {
  readonly inputs: EmbedInputs
}

/**
 * Asks the provider of a config for embeddings.
 * @throws {HostError} OPTION_INVALID, EMBEDDINGS_MISSING, SETTINGS_INVALID, HOOK_ANSWER_INVALID, ABORTED, TIMEOUT, and
 * the errors of resolution and of the provider
 */
export async function embed(core: HostCore, given: Config, asked: Asked): Promise<Embedded> {
  checkInputs(asked)
  const resolved = await resolveFor(core, given)
  const { plugins, config } = resolved
  await checkGiven(core, resolved, [plugins.provider])
  const modelInfo = await maskErrors(core, config, modelInfoOf(core, resolved))
  return scoped(core.closing, asked.signal, async (signals) => {
    const door = { core, resolved, modelInfo, ...signals }
    const run = bindFor('embed', plugins.provider, door)
    if (!run) throw missing(plugins.provider.name)
    const { dimensions } = asked
    const options = dimensions === undefined ? {} : { dimensions }
    const answer = await maskErrors(core, config, Promise.resolve(run(asked.inputs, options)))
    return { ...checked(answer, asked, { config, provider: plugins.provider.name }), modelInfo }
  })
}

const OPTIONS = ['dimensions', 'signal'] satisfies (keyof EmbedOptions)[]

/** @throws {HostError} OPTION_INVALID */
function checkInputs({ inputs, ...options }: Asked): void {
  refuseUnknown('embed', options, OPTIONS)
  const { dimensions } = options
  const isGiven = Array.isArray(inputs) && inputs.length > 0 && inputs.every(isInput)
  if (!isGiven) throw invalid('/inputs', 'must be a list of texts or of lists of token ids')
  const isLength = dimensions === undefined || (Number.isSafeInteger(dimensions) && dimensions > 0)
  if (!isLength) throw invalid('/dimensions', 'must be a whole number of at least 1')
}

function isInput(input: unknown): boolean {
  if (typeof input === 'string') return true
  return Array.isArray(input) && input.every((id) => Number.isSafeInteger(id) && id >= 0)
}

function invalid(pointer: string, fault: string): HostError {
  return new HostError('OPTION_INVALID', `"${pointer.slice(1)}" of embed ${fault}.`, { pointer })
}

function missing(provider: string): HostError {
  const text = `Provider "${provider}" makes no embeddings. Choose one with the hook "embed", such as "openai".`
  return new HostError('EMBEDDINGS_MISSING', text, { plugin: provider, provider })
}

interface Around {
  readonly config: Config
  readonly provider: string
}

/** @throws {HostError} HOOK_ANSWER_INVALID */
function checked(
  { vectors, tokens }: { readonly [key: string]: unknown },
  { inputs, dimensions }: Asked,
  { config, provider }: Around,
): Omit<Embedded, 'modelInfo'> {
  const wrong = (fault: string) =>
    new HostError('HOOK_ANSWER_INVALID', `Hook "embed" of provider "${provider}" ${fault}.`, {
      plugin: provider,
      provider,
      hook: 'embed',
    })
  if (!Array.isArray(vectors)) throw wrong('returned no list "vectors"')
  if (vectors.length !== inputs.length) {
    throw wrong(`returned ${vectors.length} vectors for ${inputs.length} inputs`)
  }
  const length = dimensions ?? lengthOf(vectors[0])
  if (length * vectors.length * BYTES > limitsOf(config).answer_bytes) {
    throw wrong('returned more numbers than "limits.answer_bytes" allows')
  }
  if (!vectors.every((vector) => isVector(vector, length))) {
    throw wrong(`returned a vector that is not ${length || 'a list of'} finite numbers`)
  }
  const isCount = Number.isSafeInteger(tokens) && (tokens as number) >= 0
  return { vectors, ...(isCount ? { tokens: tokens as number } : {}) }
}

/** The bytes of a number in a vector, for the limit on an answer's size. */
const BYTES = 8

function lengthOf(vector: unknown): number {
  return isList(vector) ? vector.length : 0
}

function isVector(vector: unknown, length: number): boolean {
  if (!isList(vector) || vector.length !== length || length === 0) return false
  for (let at = 0; at < length; at++) if (!Number.isFinite(vector[at])) return false
  return true
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array
}
