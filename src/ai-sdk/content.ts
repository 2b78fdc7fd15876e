import type {
  FilePart,
  Message,
  Part,
  SourcePart,
  ToolCallPart,
  ToolResultPart,
} from '@braidwork/plugin'
import type {
  FileContent,
  JsonRecord,
  JsonValue,
  PlainContent,
  SourceContent,
  TextContent,
  ToolCallContent,
  ToolResultContent,
} from './answer-types.ts'
import { toMetadata } from './metadata.ts'

/** The kind of content in which data parts go to the AI SDK and come back. */
export const DATA_KIND = 'braidwork.data'

/** What one answer needs to name its tools and its sources. */
export interface AnswerContext {
  /** The name of a tool as the AI SDK knows it. */
  readonly sdkName: (name: string) => string
  /** Whether the AI SDK has a tool with this name of its own. */
  readonly isKnown: (name: string) => boolean
  /** A new id for a source. */
  readonly newId: () => string
}

/** Parts that are whole in a stream too. */
export type WholePart = Exclude<Part, { readonly type: 'text' | 'reasoning' }>

/** The contents of a whole answer. */
export function contentsOf(
  messages: readonly Message[],
  context: AnswerContext,
): (TextContent | PlainContent)[] {
  return messages.flatMap(({ parts }) =>
    parts.map((part) =>
      part.type === 'text' || part.type === 'reasoning'
        ? { type: part.type, text: part.text, ...toMetadata(part.providerMetadata) }
        : contentOf(part, context),
    ),
  )
}

/** Converts a part that a stream has in one event. */
export function contentOf(part: WholePart, context: AnswerContext): PlainContent {
  switch (part.type) {
    case 'tool-call':
      return callContent(part, context)
    case 'tool-result':
      return resultContent(part, context)
    case 'file':
      return fileContent(part)
    case 'source':
      return sourceContent(part, context.newId())
    case 'data': {
      const { name, data, providerMetadata } = part
      const own = { name, data, ...(providerMetadata ? { providerMetadata } : {}) }
      return { type: 'custom', kind: DATA_KIND, ...toMetadata({ data: own }) }
    }
  }
}

/** A call that the provider ran is unknown to the AI SDK, unless the request has a tool of that name. */
export function callFacts(
  name: string,
  providerExecuted: boolean | undefined,
  { sdkName, isKnown }: AnswerContext,
): { toolName: string; providerExecuted?: true; dynamic?: true } {
  const toolName = sdkName(name)
  if (!providerExecuted) return { toolName }
  return { toolName, providerExecuted: true, ...(isKnown(toolName) ? {} : { dynamic: true }) }
}

function callContent(part: ToolCallPart, context: AnswerContext): ToolCallContent {
  const { callId, name, input, providerExecuted, providerMetadata } = part
  return {
    type: 'tool-call',
    toolCallId: callId,
    // A text is what the model sent and no JSON. The AI SDK reports it as an invalid call.
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    ...callFacts(name, providerExecuted, context),
    ...toMetadata(providerMetadata),
  }
}

function resultContent(part: ToolResultPart, context: AnswerContext): ToolResultContent {
  const { callId, name, output, isError, providerMetadata } = part
  return {
    type: 'tool-result',
    toolCallId: callId,
    // Parts of an answer are JSON: the host has checked them.
    result: (output ?? '') as NonNullable<JsonValue>,
    ...callFacts(name, true, context),
    ...(isError ? { isError } : {}),
    ...toMetadata(providerMetadata),
  }
}

function fileContent({ mediaType, data, url, providerMetadata }: FilePart): FileContent {
  const content: FileContent['data'] =
    data === undefined && url !== undefined
      ? { type: 'url', url: new URL(url) }
      : { type: 'data', data: data ?? '' }
  return { type: 'file', mediaType, data: content, ...toMetadata(providerMetadata) }
}

function sourceContent(part: SourcePart, id: string): SourceContent {
  const { type, url, title, providerMetadata, ...more } = part
  const facts = { ...providerMetadata, ...more } as JsonRecord
  const about = toMetadata(Object.keys(facts).length > 0 ? facts : undefined)
  if (url === undefined) {
    const mediaType = 'text/plain'
    return { type, sourceType: 'document', id, mediaType, title: title ?? 'Untitled', ...about }
  }
  return { type, sourceType: 'url', id, url, ...(title === undefined ? {} : { title }), ...about }
}
