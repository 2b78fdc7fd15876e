import {
  type FilePart,
  isObject,
  type JsonObject,
  type ModelTool,
  type Part,
} from '@braidwork/plugin'
import type { Profile } from './profile.ts'
import type { RequestInput } from './request-input.ts'

/** The facts that this provider stored on a part; `undefined` if another provider or server stored them. */
export function factsOf(part: Part, profile: Profile): JsonObject | undefined {
  return ownFactsIn(part.providerMetadata, profile)
}

/**
 * The facts that this provider stored in the metadata of a part or a message. Facts without a server are those of callers,
 * and of answers that were stored when facts did not name it: they are of any.
 */
export function ownFactsIn(
  metadata: { readonly [provider: string]: unknown } | undefined,
  { name, server }: Profile,
): JsonObject | undefined {
  const facts = metadata?.[name]
  if (!isObject(facts)) return undefined
  const { server: from = server } = facts
  return from === server ? facts : undefined
}

/** Facts in the form that `factsOf` reads, for `providerMetadata`. */
export function ownFacts(
  facts: JsonObject,
  { name, server }: Pick<Profile, 'name' | 'server'>,
): JsonObject {
  return { [name]: server === undefined ? facts : { server, ...facts } }
}

/** The URL of a file, or a data URL with its bytes. */
export function addressOf({ url, data, mediaType }: FilePart): string {
  return url ?? `data:${mediaType};base64,${data ?? ''}`
}

/**
 * A list without the reasoning at its end. An answer that was stopped or cut off may end with it, and model APIs refuse
 * reasoning with nothing of its answer behind it.
 */
export function withoutLastReasoning<T>(
  list: readonly T[],
  isReasoning: (one: T) => boolean,
): readonly T[] {
  return list.slice(0, list.findLastIndex((one) => !isReasoning(one)) + 1)
}

/** A call that another provider executed, its result, or a file of its answer, as plain text for this provider. */
export function foreignText(part: Part): string | undefined {
  if (part.type === 'tool-call') return `[${part.name} was called with ${textOfOutput(part.input)}]`
  if (part.type === 'tool-result') return `[${part.name} answered ${textOfOutput(part.output)}]`
  if (part.type === 'file') return `[file ${part.name ?? part.mediaType}]`
  return undefined
}

/** A tool's output as text: strings unchanged, other values as JSON. */
export function textOfOutput(output: unknown): string {
  if (isPartList(output)) return output.map(textOfPart).join('\n')
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

/** Splits off the part of a tool's output that is meant for this provider only. */
export function nativeOf(output: unknown, { name }: Profile): { own?: unknown; output: unknown } {
  if (!isObject(output) || !isObject(output['native'])) return { output }
  const own = output['native'][name]
  return own === undefined ? { output: output['output'] } : { own, output: output['output'] }
}

export function isPartList(value: unknown): value is readonly Part[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPart)
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false
  if (value['type'] === 'text') return typeof value['text'] === 'string'
  return value['type'] === 'file' && typeof value['mediaType'] === 'string'
}

function textOfPart(part: Part): string {
  if (part.type === 'text') return part.text
  return foreignText(part) ?? ''
}

/** A function definition that chat completions and responses share, without `strict`. */
export function functionOf({ name, description, input_schema: parameters }: ModelTool): JsonObject {
  return { name, ...(description ? { description } : {}), parameters }
}

/** Warns of each tool whose schema cannot be enforced although the settings ask for strict tools. */
export function warnOfLoose(
  tools: readonly ModelTool[],
  { strict_tools: isWanted }: { readonly strict_tools?: boolean },
  { model, warn }: Pick<RequestInput, 'model' | 'warn'>,
): void {
  if (isWanted !== true) return
  for (const { name, strict } of tools)
    if (strict !== true) warn(`"${model}" cannot enforce the schema of the tool "${name}".`)
}

/** Joins the texts of several parts. */
export function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n')
}
