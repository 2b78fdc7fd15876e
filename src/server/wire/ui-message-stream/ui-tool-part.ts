import type { ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import { defined, outputOf, outputTextOf } from '../index.ts'
import { metadataOf, resultMetadataOf } from './chunks.ts'
import { isMalformed, type KnownApproval, MALFORMED } from './ui-parts.ts'

/** The outcome of a call, and how the client sees the tool. */
export interface ToolPartFacts {
  readonly result?: ToolResultPart
  /** The approval requested for the call, if any. */
  readonly approval?: KnownApproval
  /** The last question of the call, if any. */
  readonly question?: KnownApproval
  /** Whether the tool is the client's own. */
  readonly isClients: boolean
  readonly hasResultMetadata: boolean
}

/** Converts a call to a part of a UI message. */
export function toolPart(call: ToolCallPart, facts: ToolPartFacts): object {
  const { callId: toolCallId, name: toolName, input, providerExecuted } = call
  const { providerMetadata: callProviderMetadata } = metadataOf(call)
  const type = facts.isClients
    ? { type: `tool-${toolName}` }
    : { type: 'dynamic-tool' as const, toolName }
  const told = defined({ providerExecuted, callProviderMetadata })
  return { ...type, toolCallId, input, ...told, ...stateOf(call, facts) }
}

function stateOf(call: ToolCallPart, facts: ToolPartFacts) {
  const { result, approval, question, hasResultMetadata } = facts
  const asked = approval ? { approval: { id: approval.approvalId, ...approval.answer } } : {}
  if (result === undefined) {
    if (isMalformed(call)) return { state: 'output-error', errorText: MALFORMED }
    if (question) return answeredState(question)
    if (!approval) return { state: 'input-available' }
    return { state: approval.answer ? 'approval-responded' : 'approval-requested', ...asked }
  }
  if (approval?.answer?.approved === false) return { state: 'output-denied', ...asked }
  const { providerMetadata } = resultMetadataOf(result)
  const metadata = defined({
    resultProviderMetadata: hasResultMetadata ? providerMetadata : undefined,
  })
  return result.isError
    ? { state: 'output-error', errorText: outputTextOf(result), ...metadata, ...asked }
    : { state: 'output-available', output: outputOf(result) ?? null, ...metadata, ...asked }
}

/** The answer of a client is the output of the call, as the client itself has it, until the call has its own. */
function answeredState({ answer }: KnownApproval) {
  if (!answer) return { state: 'input-available' }
  return answer.approved
    ? { state: 'output-available', output: answer.value ?? null }
    : { state: 'output-error', errorText: answer.reason ?? 'The person declined to answer it.' }
}
