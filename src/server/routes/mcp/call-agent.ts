import type { StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { orderOf } from '../../run-order.ts'
import { decodeMcpArguments } from '../../wire/mcp/index.ts'
import { answerForms } from './ask.ts'
import { type AgentCall, PROTOCOL } from './caller.ts'
import { follow } from './follow.ts'

/**
 * Runs an agent for a call. A call that comes back with a person's answers goes on with the run that asked.
 * @throws {HostError} REQUEST_INVALID, RUN_UNKNOWN, and the errors of `Turns.take`
 */
export async function callAgent(call: AgentCall): Promise<CallToolResult | InputRequiredResult> {
  const state = call.context.mcpReq.requestState<string>()
  if (state === undefined) return follow(call, await begin(call))
  const run = await runOf(call, state)
  const { asked, run: present } = await answerForms(call, run)
  return asked ?? follow(call, present)
}

async function begin({ caller, agent, params }: AgentCall): Promise<StoredRun> {
  const { services, identity, headers } = caller
  const decoded = { ...decodeMcpArguments(params.arguments), agent }
  const request = await services.catalog.requestFor(identity, decoded, '/name')
  const turn = { identity, request, headers, protocol: PROTOCOL, canReset: true }
  const { run } = await services.turns.take(turn)
  return run
}

/** Finds the run that asked. What the client sends back is no proof, so the run must be of its own. */
async function runOf(
  { caller: { services, identity }, agent }: AgentCall,
  runId: string,
): Promise<StoredRun> {
  const run = await services.runs.find(identity, runId)
  const { protocol, agent: own } = orderOf(run)
  if (protocol === PROTOCOL && own === agent) return run
  throw new HostError('RUN_UNKNOWN', `There is no run "${runId.slice(0, 100)}".`)
}
