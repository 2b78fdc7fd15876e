import type { RunEvent, ToolResultPart } from '@braidwork/plugin'
import { outputTextOf, resultFacts } from '../index.ts'
import { type ItemPlace, itemId } from './items.ts'

/** A call that the host ran or refused, with its result. */
export interface HostCall {
  readonly input: unknown
  readonly result: ToolResultPart
}

/** Pairs the calls of a run's tools with their results. The tools of the client are not among them. */
export class HostCalls {
  readonly #inputs = new Map<string, unknown>()

  /** Takes note of an event. Returns the call that ended with it, if any. */
  add(event: RunEvent): HostCall | undefined {
    if (event.type === 'tool-call-end' && !event.providerExecuted)
      this.#inputs.set(event.id, event.input)
    if (event.type === 'tool-execution-start') this.#inputs.set(event.callId, event.input)
    if (event.type !== 'tool-execution-end') return undefined
    const input = this.#inputs.get(event.callId) ?? {}
    this.#inputs.delete(event.callId)
    return { input, result: event.result }
  }
}

/** The label of the host, where the protocol names the server that has the tool. */
const LABEL = 'braidwork'

/**
 * Creates the item of a call that the host ran. The protocol has one kind of item for tools of any name that run on a
 * server: calls of MCP servers.
 * @param isDone false while the item is being opened
 */
export function hostCallItem(place: ItemPlace, { input, result }: HostCall, isDone: boolean) {
  const item = {
    id: itemId('mcp', place),
    type: 'mcp_call',
    server_label: LABEL,
    name: result.name,
    approval_request_id: null,
  }
  if (!isDone) {
    return { ...item, status: 'in_progress', arguments: '', output: null, error: null }
  }
  const facts = resultFacts(result)
  const text = outputTextOf(result)
  return {
    ...item,
    status: result.isError ? 'failed' : 'completed',
    arguments: argumentsOf(input),
    output: result.isError ? null : text,
    error: result.isError ? text : null,
    ...(facts ? { braidwork: facts } : {}),
  }
}

/** The arguments as the model wrote them. */
export function argumentsOf(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
}
