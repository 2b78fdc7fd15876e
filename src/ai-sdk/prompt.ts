import { isObject, type Message, type Part } from '@braidwork/plugin'
import type { Warning } from './answer-types.ts'
import { asJson } from './as-json.ts'
import type { CallInput, MessageInput, PartInput, ResultInput } from './call-types.ts'
import { DATA_KIND } from './content.ts'
import { fileOf } from './files.ts'
import { ownMetadata, ownOptions } from './metadata.ts'
import { outputOf } from './tool-output.ts'

/** What the reader of a prompt needs from its call. */
export interface PromptContext {
  /** The name of a tool as the model uses it. */
  readonly modelName: (name: string) => string
  readonly warn: (warning: Warning) => void
}

/**
 * Converts a prompt. Parts that have no counterpart are left out with a warning.
 * @throws {UnsupportedContentError} for a file that cannot be sent
 */
export function messagesOf(prompt: readonly MessageInput[], context: PromptContext): Message[] {
  return prompt
    .map((message) => messageOf(message, context))
    .filter(({ parts }) => parts.length > 0)
}

function messageOf(message: MessageInput, context: PromptContext): Message {
  if (message.role !== 'system') {
    const { role, content } = message
    return { role, parts: content.flatMap((part) => partsOf(part, role, context)) }
  }
  const { role, content: text, providerOptions } = message
  return { role, parts: [{ type: 'text', text, ...ownMetadata(providerOptions) }] }
}

function partsOf(part: PartInput, role: Message['role'], context: PromptContext): Part[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text, ...ownMetadata(part.providerOptions) }]
    case 'file':
      return [fileOf(part)]
    case 'tool-call':
      return [callOf(part, context)]
    case 'tool-result':
      return [resultOf(part, role, context)]
    default:
      return otherOf(part, context)
  }
}

function callOf(part: CallInput, { modelName }: PromptContext): Part {
  const { toolCallId: callId, toolName, input, providerExecuted, providerOptions } = part
  return {
    type: 'tool-call',
    callId,
    name: modelName(toolName),
    // A schema of the program may have made dates and the like of what the model wrote.
    input: asJson(input ?? {}),
    ...(providerExecuted ? { providerExecuted } : {}),
    ...ownMetadata(providerOptions),
  }
}

/** A result within an answer is that of a call which the provider ran. */
function resultOf(part: ResultInput, role: Message['role'], { modelName }: PromptContext): Part {
  const { toolCallId: callId, toolName, output, providerOptions } = part
  return {
    type: 'tool-result',
    callId,
    name: modelName(toolName),
    ...outputOf(output),
    ...(role === 'assistant' ? { providerExecuted: true } : {}),
    ...ownMetadata(providerOptions),
  }
}

type Other = Exclude<
  PartInput,
  { readonly type: 'text' | 'reasoning' | 'tool-call' | 'tool-result' }
>

/** Our own data comes back as it was. */
function otherOf({ type, providerOptions, ...rest }: Other, { warn }: PromptContext): Part[] {
  const data = ownOptions(providerOptions)?.['data']
  const isOurs = 'kind' in rest && rest.kind === DATA_KIND
  if (isOurs && isObject(data) && typeof data['name'] === 'string') {
    const { name, ...others } = data
    return [{ type: 'data', name: data['name'], data: others['data'] ?? null, ...metadataIn(data) }]
  }
  warn({ type: 'unsupported', feature: `part of the prompt: ${type}` })
  return []
}

function metadataIn({ providerMetadata }: { readonly [key: string]: unknown }) {
  return isObject(providerMetadata) ? { providerMetadata } : {}
}
