import {
  type FilePart,
  isObject,
  type JsonObject,
  type Part,
  type SourcePart,
} from '@braidwork/plugin'
import { defined, withSafeAddress } from '../index.ts'

/** A part of the result of a tool. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name: string
      readonly mimeType?: string
    }
  | {
      readonly type: 'resource'
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string }
    }

/** The result of a tool. */
export interface McpResult {
  readonly content: McpContent[]
  readonly structuredContent?: { [key: string]: unknown }
  readonly isError?: true
  readonly _meta?: { [key: string]: unknown }
}

/** What the result of a run says beside its content. */
export interface McpResultFacts {
  readonly runId: string
  readonly conversationId?: string
}

/** The run behind a result, as its metadata name it. */
export function aboutRun({ runId, conversationId }: McpResultFacts): JsonObject {
  return { 'braidwork/run': runId, ...defined({ 'braidwork/conversation': conversationId }) }
}

/** A failure as a result, so that the model which called can read it. */
export function errorResult(text: string, about: JsonObject): McpResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: { ...about } }
}

/** A part as the content of a result. Undefined for what a result cannot have. */
export function contentOf(part: Part): McpContent | undefined {
  const safe = withSafeAddress(part)
  if (safe?.type === 'text') return { type: 'text', text: safe.text }
  if (safe?.type === 'source') return sourceLink(safe)
  return safe?.type === 'file' ? contentOfFile(safe) : undefined
}

function sourceLink({ url: uri, title }: SourcePart): McpContent | undefined {
  return uri === undefined ? undefined : { type: 'resource_link', uri, name: title ?? uri }
}

function contentOfFile({
  mediaType: mimeType,
  data,
  url: uri,
  name,
}: FilePart): McpContent | undefined {
  if (data === undefined) {
    return uri === undefined
      ? undefined
      : { type: 'resource_link', uri, name: name ?? uri, mimeType }
  }
  const [kind] = mimeType.split('/')
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType }
  return { type: 'resource', resource: { uri: placeOf(name ?? 'file'), mimeType, blob: data } }
}

/** The URI of a resource that an MCP server named by it. Its schemes lead nowhere else than to a resource. */
const OWN_PLACE =
  /^(?:urn:|(?!javascript:|vbscript:|data:)[a-z][a-z\d+.-]+:\/\/)[^\s\p{Cc}\p{Cf}]+$/iu

/** A place for a file, whose client needs one: its own URI, so that a client can use it, or one that is made of its name. */
function placeOf(name: string): string {
  return OWN_PLACE.test(name) && URL.canParse(name) ? name : `file:///${encodeURIComponent(name)}`
}

/** The object that a text is the JSON of, if it is one. */
export function jsonObjectIn(text: string): { [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
