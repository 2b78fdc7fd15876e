import type { Approval, StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import { formAnswer, formFor, unaskable } from '../../wire/mcp/index.ts'
import type { McpCall } from './caller.ts'

/** What came of a person's answers: the run that goes on, or what has to be asked once more. */
interface Answered {
  readonly run: StoredRun
  readonly asked?: InputRequiredResult
}

/** Asks a person for what a run waits for. If the client cannot, the run is told so, and goes on. */
export async function ask(call: McpCall, run: StoredRun): Promise<Answered> {
  const { services, identity } = call.caller
  const open = await openOf(call, run)
  if (open.length > 0 && showsForms(call)) return { run, asked: asking(run, open) }
  const taken = await services.approvals.answerAll(identity, run, open.map(unaskable))
  if (taken.run.status !== 'suspended') return { run: taken.run }
  throw new HostError('RUN_NOT_ACTIVE', 'The run waits for an answer that nobody can give here.')
}

/** Takes the answers of a person that came back with a call. */
export async function answerForms(call: McpCall, run: StoredRun): Promise<Answered> {
  if (run.status !== 'suspended') return { run }
  const { services, identity } = call.caller
  const { inputResponses = {} } = call.context.mcpReq
  const open = await openOf(call, run)
  const answers = open.flatMap((one) => formAnswer(one, inputResponses[one.id]) ?? [])
  try {
    const taken = await services.approvals.answerAll(identity, run, answers)
    return taken.run.status === 'suspended' ? await ask(call, taken.run) : { run: taken.run }
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'REQUEST_INVALID') throw error
    return { run, asked: asking(run, open, error.message) }
  }
}

async function openOf({ caller }: McpCall, run: StoredRun): Promise<readonly Approval[]> {
  const all = await caller.services.storage.approvals.list(caller.identity.id, run.id)
  return all.filter(({ answer }) => !answer)
}

function asking(run: StoredRun, open: readonly Approval[], fault?: string): InputRequiredResult {
  const forms = open.map((one) => {
    const form = formFor(one, fault)
    return [one.id, inputRequired.elicit(form as never)] as const
  })
  return inputRequired({ inputRequests: Object.fromEntries(forms), requestState: run.id })
}

/** Whether the client shows forms. An empty capability means that it does. */
function showsForms({ capabilities }: McpCall): boolean {
  const { elicitation } = capabilities ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || !('url' in elicitation))
}
