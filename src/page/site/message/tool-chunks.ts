import { type Chunk, defined, isChunk, textIn } from './chunk.ts'
import type { ToolPart, ToolState } from './types.ts'

type Outcome = Pick<ToolPart, 'input' | 'output' | 'errorText' | 'preliminary'>

/** The call that a chunk names: the client knows its tool by name, or it is dynamic. */
export interface NamedCall {
  readonly id: string
  readonly name: string
  readonly isDynamic: boolean
}

/** The call that the input of a chunk belongs to. Undefined where it has no id or no name. */
export function callIn(chunk: Chunk): NamedCall | undefined {
  const id = textIn(chunk, 'toolCallId')
  const name = textIn(chunk, 'toolName')
  if (id === undefined || name === undefined) return undefined
  return { id, name, isDynamic: chunk['dynamic'] === true }
}

/** A call with the input of a chunk. */
export function withInput(part: ToolPart | undefined, call: NamedCall, chunk: Chunk): ToolPart {
  const named = call.isDynamic
    ? ({ type: 'dynamic-tool', toolName: call.name } as const)
    : ({ type: `tool-${call.name}` } as const)
  const before = { ...part, ...named, toolCallId: call.id, state: 'input-streaming' } as const
  const { input } = chunk
  if (chunk['type'] === 'tool-input-start') return changed(before, chunk, 'input-streaming', {})
  if (chunk['type'] === 'tool-input-available') {
    return changed(before, chunk, 'input-available', { input })
  }
  return changed(before, chunk, 'output-error', { input, errorText: errorTextOf(chunk) })
}

/** A call with what a chunk says of it after its input. Undefined where the chunk says nothing. */
export function withOutcome(part: ToolPart, chunk: Chunk): ToolPart | undefined {
  const { input } = part
  switch (chunk['type']) {
    case 'tool-output-available': {
      const { output, preliminary } = chunk
      const progress = preliminary === true ? { preliminary } : {}
      return changed(part, chunk, 'output-available', { input, output, ...progress })
    }
    case 'tool-output-error':
      return changed(part, chunk, 'output-error', { input, errorText: errorTextOf(chunk) })
    case 'tool-output-denied':
      return { ...part, state: 'output-denied' }
    case 'tool-approval-request': {
      const id = textIn(chunk, 'approvalId')
      return id === undefined
        ? undefined
        : { ...part, state: 'approval-requested', approval: { id } }
    }
    default:
      return undefined
  }
}

/** A call whose approval is answered. Undefined where the chunk has no answer. */
export function withAnswer(part: ToolPart, chunk: Chunk): ToolPart | undefined {
  const { approved } = chunk
  if (!part.approval || typeof approved !== 'boolean') return undefined
  const answer = { approved, ...defined({ reason: textIn(chunk, 'reason') }) }
  return { ...part, state: 'approval-responded', approval: { ...part.approval, ...answer } }
}

/** A call in a new state. Of its earlier outcome nothing is kept. */
function changed(part: ToolPart, chunk: Chunk, state: ToolState, outcome: Outcome): ToolPart {
  const { input: _, output: __, errorText: ___, preliminary: ____, ...rest } = part
  const { providerExecuted, providerMetadata } = chunk
  const isResult = state === 'output-available' || state === 'output-error'
  const member = isResult ? 'resultProviderMetadata' : 'callProviderMetadata'
  return {
    ...rest,
    state,
    ...defined(outcome),
    ...(typeof providerExecuted === 'boolean' ? { providerExecuted } : {}),
    ...(isChunk(providerMetadata) ? { [member]: providerMetadata } : {}),
  }
}

function errorTextOf(chunk: Chunk): string {
  return textIn(chunk, 'errorText') ?? ''
}
