import type { Approval, StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import type { ApprovalAnswer } from '../../wire/index.ts'
import { formAnswer, formFor, permissionFault, unaskable } from '../../wire/mcp/index.ts'
import type { McpCall } from './caller.ts'

/** What came of a person's answers: the run that goes on, or what has to be asked once more. */
interface Answered {
  readonly run: StoredRun
  readonly asked?: InputRequiredResult
}

/** The most answers in a row that may not fit: a program that fills in forms would go on for ever. */
const MOST_UNFIT = 5

/** What comes back with the answers to forms. */
export interface AskedState {
  readonly runId: string
  /** How many answers in a row did not fit. */
  readonly unfit: number
}

/** Reads what came back with a call. It is no proof of anything. */
export function askedStateIn(text: string): AskedState {
  const [runId = '', unfit] = text.split(' ')
  return { runId, unfit: Number(unfit ?? 0) || 0 }
}

/** Asks a person for what a run waits for. If the client cannot, the run is told so, and goes on. */
export async function ask(call: McpCall, run: StoredRun): Promise<Answered> {
  const open = await openOf(call, run)
  if (open.length > 0 && showsForms(call)) return { run, asked: asking(run, open, { unfit: 0 }) }
  return goOn(call, run, open.map(unaskable))
}

/** Goes on with a run for which nobody is asked any more. */
async function goOn(
  { caller: { services, identity } }: McpCall,
  run: StoredRun,
  answers: readonly ApprovalAnswer[],
): Promise<Answered> {
  const taken = await services.approvals.answerAll(identity, run, answers)
  if (taken.run.status !== 'suspended') return { run: taken.run }
  throw new HostError('RUN_NOT_ACTIVE', 'The run waits for an answer that nobody can give here.')
}

/**
 * Takes the answers of a person that came back with a call.
 * @param before how many answers in a row did not fit before these
 */
export async function answerForms(
  call: McpCall,
  run: StoredRun,
  before: number,
): Promise<Answered> {
  if (run.status !== 'suspended') return { run }
  const { services, identity } = call.caller
  const { inputResponses } = call.context.mcpReq
  // A client that has only come back, for example after a restart, has not answered yet.
  if (inputResponses === undefined) return ask(call, run)
  const open = await openOf(call, run)
  const answers = open.flatMap((one) => formAnswer(one, inputResponses[one.id]) ?? [])
  const unfit = before + 1
  const [faulty] = open.flatMap((one) => permissionFault(one, inputResponses[one.id]) ?? [])
  if (faulty !== undefined) return askAgain(call, run, { open, unfit, fault: faulty })
  try {
    const taken = await services.approvals.answerAll(identity, run, answers)
    if (taken.run.status !== 'suspended') return { run: taken.run }
    if (answers.length > 0) return await ask(call, taken.run)
    const fault = 'The client sent no answer.'
    return await askAgain(call, run, { open, unfit, fault })
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'REQUEST_INVALID') throw error
    return askAgain(call, run, { open, unfit, fault: error.message })
  }
}

interface Unfit {
  readonly open: readonly Approval[]
  readonly unfit: number
  readonly fault: string
}

/** Asks once more, up to a number of times. Then the run goes on without an answer. */
async function askAgain(
  call: McpCall,
  run: StoredRun,
  { open, unfit, fault }: Unfit,
): Promise<Answered> {
  if (unfit < MOST_UNFIT) return { run, asked: asking(run, open, { unfit, fault }) }
  const reason = `No answer fitted the question in ${MOST_UNFIT} tries. ${fault}`
  return goOn(
    call,
    run,
    open.map(({ id: approvalId }) => ({ approvalId, approved: false, reason })),
  )
}

async function openOf({ caller }: McpCall, run: StoredRun): Promise<readonly Approval[]> {
  const all = await caller.services.storage.approvals.list(caller.identity.id, run.id)
  return all.filter(({ answer }) => !answer)
}

function asking(
  run: StoredRun,
  open: readonly Approval[],
  { unfit, fault }: { readonly unfit: number; readonly fault?: string },
): InputRequiredResult {
  const forms = open.map((one) => {
    const form = formFor(one, fault)
    return [one.id, inputRequired.elicit(form as never)] as const
  })
  return inputRequired({
    inputRequests: Object.fromEntries(forms),
    requestState: `${run.id} ${unfit}`,
  })
}

/** Whether the client shows forms. An empty capability means that it does. */
function showsForms({ capabilities }: McpCall): boolean {
  const { elicitation } = capabilities ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || !('url' in elicitation))
}
