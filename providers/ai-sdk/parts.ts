import { defined, objectsIn, textIn } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, toUsage, type Usage, usageFaults } from '@braidwork/plugin'
import type { RawPart } from './model-types.ts'

/** A native chunk: a part of a stream as JSON, with the members that all versions have in the form of version 7. */
export type NativePart = JsonObject & { readonly type: string }

const UNTOLD = ['raw', 'ping', 'tool-approval-request']

/** Converts a part of a stream, or a content of an answer. Undefined for a part that says nothing. */
export function toNativePart(part: RawPart): NativePart | undefined {
  const { type } = part
  if (UNTOLD.includes(type) || part['preliminary'] === true) return undefined
  if (type === 'stream-start') return { type, warnings: warningsOf(part['warnings']) }
  if (type === 'finish') return { type, ...endingOf(part['finishReason'], part['usage']) }
  if (type === 'file' || type === 'reasoning-file') return fileOf(part)
  return plain(part) as NativePart
}

/** A copy that is JSON: members without a value are left out, and dates become texts. */
export function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

/** Version 5 and 6 have the content itself; version 7 says what it is. */
function fileOf({ type, mediaType, data: given, providerMetadata }: RawPart): NativePart {
  const facts = isObject(providerMetadata) ? { providerMetadata: plain(providerMetadata) } : {}
  const content = isObject(given) && typeof given['type'] === 'string' ? given : { data: given }
  const { data, url } = content as { readonly data?: unknown; readonly url?: unknown }
  const found = url === undefined ? { data: base64(data) } : { url: String(url) }
  return { type, mediaType: textIn(mediaType) ?? 'application/octet-stream', ...found, ...facts }
}

function base64(data: unknown): string {
  return data instanceof Uint8Array ? Buffer.from(data).toString('base64') : String(data ?? '')
}

/** Why an answer ended, and its tokens. */
export function endingOf(finishReason: unknown, usage: unknown): JsonObject {
  const { unified = finishReason, raw } = isObject(finishReason) ? finishReason : {}
  return { finishReason: unified, ...defined({ rawFinishReason: raw }), usage: usageOf(usage) }
}

/** The tokens: version 5 has them in one object, versions 6 and 7 by direction. Counts that contradict are left out. */
function usageOf(given: unknown): Usage {
  if (!isObject(given)) return {}
  const { inputTokens: input, outputTokens: output, raw } = given
  const counts = isObject(input) && isObject(output) ? byDirection(input, output) : inOne(given)
  const known = toUsage(counts)
  const usage = isObject(raw) ? { ...known, raw: plain(raw) } : known
  const { reasoning: _, ...withoutReasoning } = usage
  const { cacheRead: _read, cacheWrite: _write, ...withoutCache } = usage
  const { reasoning: _thought, ...least } = withoutCache
  const tries = [usage, withoutReasoning, withoutCache]
  return tries.find((one) => usageFaults(one).length === 0) ?? least
}

function byDirection(input: JsonObject, output: JsonObject): JsonObject {
  const { cacheRead, cacheWrite } = input
  return {
    input: input['total'],
    output: output['total'],
    reasoning: output['reasoning'],
    cacheRead,
    cacheWrite,
  }
}

function inOne(usage: JsonObject): JsonObject {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = usage
  return {
    input: inputTokens,
    output: outputTokens,
    reasoning: reasoningTokens,
    cacheRead: cachedInputTokens,
  }
}

/** The warnings of a package, a sentence each. */
export function warningsOf(warnings: unknown): readonly string[] {
  return objectsIn(warnings).map((warning) => {
    const { type, feature, setting, tool, details, message } = warning
    const name = feature ?? setting ?? (isObject(tool) ? tool['name'] : undefined)
    const what = name === undefined ? String(type) : `${String(type)}: ${String(name)}`
    const more = textIn(message) ?? textIn(details)
    return name === undefined && more ? more : `${what}${more ? ` (${more})` : ''}.`
  })
}

/** The sources that texts of an answer cite, beside those that the answer lists itself. */
export function citedIn(contents: readonly JsonObject[]): readonly NativePart[] {
  const known = new Set(contents.filter(({ type }) => type === 'source').map(nameOf))
  return contents.flatMap(({ citations }) =>
    objectsIn(citations).flatMap(({ source }) => {
      if (!isObject(source) || known.has(nameOf(source))) return []
      known.add(nameOf(source))
      return [{ ...source, type: 'source' }]
    }),
  )
}

function nameOf({ url, title, id }: JsonObject): string {
  return String(url ?? title ?? id)
}
