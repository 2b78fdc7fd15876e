import type { StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { orderOf } from '../../run-order.ts'
import { decodeMcpArguments } from '../../wire/mcp/index.ts'
import { answerForms, askedStateIn } from './ask.ts'
import { type McpCall, PROTOCOL } from './caller.ts'
import { follow } from './follow.ts'

/**
 * Runs an agent, or a tool of one, for a call. A call that comes back with a person's answers goes on with the run that
 * asked.
 * @throws {HostError} REQUEST_INVALID, RUN_UNKNOWN, and the errors of `Turns.take` and `Turns.call`
 */
export async function callTool(call: McpCall): Promise<CallToolResult | InputRequiredResult> {
  const state = call.context.mcpReq.requestState<string>()
  if (state === undefined) return follow(call, await begin(call))
  const { runId, unfit } = askedStateIn(state)
  const run = await runOf(call, runId)
  const { asked, run: present } = await answerForms(call, run, unfit)
  return asked ?? follow(call, present)
}

async function begin({ caller, target, params }: McpCall): Promise<StoredRun> {
  const { services, identity, headers } = caller
  const { agent, tool } = target
  const turn = { identity, headers, protocol: PROTOCOL }
  if (tool) {
    return services.turns.call({ ...turn, agent, tool: tool.name, input: params.arguments ?? {} })
  }
  const decoded = { ...decodeMcpArguments(params.arguments), agent }
  const request = await services.catalog.requestFor(identity, decoded, '/name')
  const { run } = await services.turns.take({ ...turn, request, canReset: true })
  return run
}

/** Finds the run that asked. What the client sends back is no proof, so the run must be of its own. */
async function runOf(
  { caller: { services, identity }, target: { agent, tool } }: McpCall,
  runId: string,
): Promise<StoredRun> {
  const run = await services.runs.find(identity, runId)
  const { protocol, agent: own, call } = orderOf(run)
  if (protocol === PROTOCOL && own === agent && call?.name === tool?.name) return run
  throw new HostError('RUN_UNKNOWN', `There is no run "${runId.slice(0, 100)}".`)
}
