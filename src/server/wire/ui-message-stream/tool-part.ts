import type { ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import { type ApprovalAnswer, defined, type Fields } from '../index.ts'

const STATES = [
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
] as const

/** A call in a UI message, with its result or approval. */
export interface ReadCall {
  readonly call: ToolCallPart
  readonly result?: ToolResultPart
  /** A new answer to an approval. */
  readonly approval?: ApprovalAnswer
}

/**
 * Decodes a part `tool-<name>` or `dynamic-tool`. Returns undefined for a call whose arguments were never
 * completed.
 */
export function readToolPart(part: Fields, type: string): ReadCall | undefined {
  const name = type === 'dynamic-tool' ? part.need('toolName') : type.slice('tool-'.length)
  if (name === '') throw part.fault('type', 'has no tool name after "tool-"')
  const callId = part.need('toolCallId')
  const state = part.oneOf('state', STATES)
  if (state === undefined) throw part.fault('state', 'is missing')
  if (state === 'input-streaming') return undefined
  const providerExecuted = part.flag('providerExecuted') ? { providerExecuted: true } : {}
  const call: ToolCallPart = {
    type: 'tool-call',
    callId,
    name,
    input: part.any('input') ?? part.any('rawInput') ?? {},
    ...providerExecuted,
    ...metadataIn(part, 'callProviderMetadata'),
  }
  if (state === 'approval-responded') return { call, ...approvalIn(part) }
  const outcome = outcomeOf(part, state)
  if (outcome === undefined) return { call }
  const metadata = metadataIn(part, 'resultProviderMetadata')
  const result = { type: 'tool-result', callId, name, ...outcome } as const
  return { call, result: { ...result, ...providerExecuted, ...metadata } }
}

/** Reads the provider metadata of a part. */
export function metadataIn(part: Fields, name = 'providerMetadata') {
  const providerMetadata = part.raw(name)
  return providerMetadata && Object.keys(providerMetadata).length > 0 ? { providerMetadata } : {}
}

type CallOutcome = Pick<ToolResultPart, 'output' | 'isError'>

function outcomeOf(part: Fields, state: (typeof STATES)[number]): CallOutcome | undefined {
  if (state === 'output-error') {
    return { output: part.text('errorText') ?? 'The call failed.', isError: true }
  }
  if (state === 'output-denied') return { output: deniedText(part), isError: true }
  // Preliminary output is progress of the tool, not its result.
  if (state !== 'output-available' || part.flag('preliminary')) return undefined
  return { output: part.any('output') ?? null }
}

function deniedText(part: Fields): string {
  const reason = part.object('approval')?.text('reason')
  return reason ? `The call was denied: ${reason}` : 'The call was denied.'
}

function approvalIn(part: Fields): { readonly approval: ApprovalAnswer } {
  const approval = part.object('approval')
  if (approval === undefined) throw part.fault('approval', 'is missing')
  const approved = approval.flag('approved')
  if (approved === undefined)
    throw approval.fault('approved', 'is missing; it must be true or false')
  const reason = approval.text('reason')
  return { approval: { approvalId: approval.need('id'), approved, ...defined({ reason }) } }
}
