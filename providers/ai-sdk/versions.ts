import { objectsIn, without } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject } from '@braidwork/plugin'
import type { Specification } from './model-types.ts'

/** The options of a call as a model of one version takes them, made of the native request. */
export function optionsFor(native: JsonObject, specification: Specification): JsonObject {
  const { prompt, tools, ...rest } = native
  return {
    ...rest,
    prompt: objectsIn(prompt).flatMap((message) => messageFor(message, specification)),
    ...(tools === undefined
      ? {}
      : { tools: objectsIn(tools).map((one) => toolFor(one, specification)) }),
  }
}

/** Version 5 has no strict tools. */
function toolFor(tool: JsonObject, specification: Specification): JsonObject {
  return specification === 'v2' ? without(tool, 'strict') : tool
}

function messageFor(message: JsonObject, specification: Specification): readonly JsonObject[] {
  const { content } = message
  if (!Array.isArray(content)) return [message]
  const parts = objectsIn(content).flatMap((part) => partFor(part, specification))
  return parts.length > 0 ? [{ ...message, content: parts }] : []
}

/** Only version 7 has parts of the kinds `custom` and `reasoning-file`. */
function partFor(part: JsonObject, specification: Specification): readonly JsonObject[] {
  const { type, output } = part
  const isNew = type === 'custom' || type === 'reasoning-file'
  if (isNew && specification !== 'v4') return []
  if (type === 'tool-result' && isObject(output))
    return [{ ...part, output: outputFor(output, specification) }]
  return [isFile(part) ? { ...part, data: contentFor(part.data, specification) } : part]
}

/** A file of the native request. */
interface NativeFile extends JsonObject {
  readonly data: JsonObject
  readonly mediaType: string
}

function isFile(part: JsonObject): part is NativeFile {
  return isObject(part['data']) && typeof part['mediaType'] === 'string'
}

function contentFor(content: JsonObject, specification: Specification): unknown {
  const { type, url, data } = content
  const value = type === 'url' ? new URL(String(url)) : data
  if (specification !== 'v4') return value
  return type === 'url' ? { type, url: value } : { type, data }
}

function outputFor(output: JsonObject, specification: Specification): JsonObject {
  const { type, value } = output
  if (type !== 'content') return output
  const items = objectsIn(value).map((item) => (isFile(item) ? itemFor(item, specification) : item))
  return { type, value: items }
}

/** A file in the output of a tool. Version 5 has none with an address, so the address is told. */
function itemFor(file: NativeFile, specification: Specification): JsonObject {
  const { mediaType, data: content } = file
  const { type, data, url } = content
  if (specification === 'v4') return { ...file, data: contentFor(content, specification) }
  if (specification === 'v2') {
    return type === 'url'
      ? { type: 'text', text: `[file ${String(url)}]` }
      : { type: 'media', data, mediaType }
  }
  const kind = mediaType.startsWith('image/') ? 'image' : 'file'
  return type === 'url' ? { type: `${kind}-url`, url } : { type: `${kind}-data`, data, mediaType }
}
