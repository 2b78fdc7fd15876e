import type { Message, MessageMetadata, Part, Usage } from '@braidwork/plugin'
import type {
  Content,
  NativeAnswer,
  NativeUsage,
  ToolCallContent,
  ToolResultContent,
} from './native.ts'
import { parseJson } from './turn.ts'

export function toMessage(answer: NativeAnswer): Message {
  return { role: 'assistant', parts: answer.content.map(toPart), metadata: metadataOf(answer) }
}

type Ending = Pick<NativeAnswer, 'finish_reason' | 'usage' | 'metadata'>

export function metadataOf({ finish_reason, usage, metadata }: Ending): MessageMetadata {
  return { ...metadata, finishReason: finish_reason, usage: toUsage(usage) }
}

export function toPart(content: Content): Part {
  switch (content.type) {
    case 'text':
      return content
    case 'reasoning':
      return { type: 'reasoning', text: content.text, providerMetadata: ownMetadata(content.id) }
    case 'file': {
      const { media_type: mediaType, ...file } = content
      return { ...file, mediaType }
    }
    case 'source':
      return { ...content.source, type: 'source' }
    case 'data':
      return content
    case 'tool_call':
      return toCallPart(content)
    case 'tool_result':
      return toResultPart(content)
  }
}

function toCallPart({
  id: callId,
  name,
  arguments: text,
  provider_executed,
}: ToolCallContent): Part {
  const call = { type: 'tool-call', callId, name, input: parseJson(text) } as const
  return provider_executed ? { ...call, ...executed(callId) } : call
}

/** Converts a tool result. An answer contains results only for calls that the provider executed. */
function toResultPart({ id: callId, name, output, is_error }: ToolResultContent): Part {
  const result = { type: 'tool-result', callId, name, output, ...executed(callId) } as const
  return is_error ? { ...result, isError: true } : result
}

function executed(id: string) {
  return { providerExecuted: true, providerMetadata: ownMetadata(id) } as const
}

/** Metadata by which the provider recognizes its own parts. */
function ownMetadata(id: string): { readonly scripted: { readonly id: string } } {
  return { scripted: { id } }
}

function toUsage(raw: NativeUsage): Usage {
  const { cache_read, cache_write, ...usage } = raw
  if (Object.keys(raw).length === 0) return {}
  return {
    ...usage,
    ...(cache_read === undefined ? {} : { cacheRead: cache_read }),
    ...(cache_write === undefined ? {} : { cacheWrite: cache_write }),
    raw,
  }
}
