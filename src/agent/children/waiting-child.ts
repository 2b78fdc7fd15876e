import type { CallOutcome } from '@braidwork/core/internal'
import { isObject, type Message, type ToolCall, type ToolQuestion } from '@braidwork/plugin'
import type { ApprovalVerdict, PendingApproval, Resumption, Suspension } from '../approvals.ts'
import { answerSchemaOf, asksPermission, PERMISSION_SCHEMA } from '../questions.ts'
import { failed, saidBy } from './child-outcome.ts'

/** A child run that waits for a person, as its parent keeps it. It is JSON. AL-23 */
export interface WaitingChild {
  readonly agent: string
  readonly runId: string
  /** The history of the child: what it was asked, and what it has said. */
  readonly messages: readonly Message[]
  readonly suspension: Suspension
  /** The answers so far. */
  readonly verdicts: readonly ApprovalVerdict[]
}

type Answer = NonNullable<ToolCall['answer']>

/** The question whether an agent may make a call. Clients that know no more show its text. */
interface PermissionQuestion extends ToolQuestion {
  readonly call: { readonly agent: string; readonly name: string; readonly input: unknown }
}

/** A child with the answer to its present question. */
export function answeredChild(child: WaitingChild, answer: Answer): WaitingChild {
  const approval = presentOf(child)
  return approval ? { ...child, verdicts: [...child.verdicts, verdictOn(approval, answer)] } : child
}

/** What a child whose questions are all answered needs to go on. Undefined if a question is left. */
export function resumptionIn(child: WaitingChild): Resumption | undefined {
  const { suspension, verdicts } = child
  return presentOf(child) ? undefined : { ...suspension, verdicts }
}

/**
 * The outcome of a call whose child waits for a person: the question, which the parent's client is asked where there is
 * one. Else the parent's model is told. AL-23
 */
export function waitingOutcome(child: WaitingChild): CallOutcome {
  const { agent, messages } = child
  const approval = presentOf(child)
  if (!approval) throw new TypeError(`The agent "${agent}" waits for nothing.`)
  const question = questionOf(agent, approval)
  const text = saidBy(messages)
  const told = { agent, status: 'waiting', message: question.question } as const
  return { ...failed(text === '' ? told : { ...told, text }, 'policy_blocked'), question }
}

/** The first question of a child that has no answer yet. */
function presentOf({ suspension, verdicts }: WaitingChild): PendingApproval | undefined {
  return suspension.approvals[verdicts.length]
}

function questionOf(
  agent: string,
  { name, input, isQuestion: asks }: PendingApproval,
): ToolQuestion | PermissionQuestion {
  if (asks && isObject(input) && typeof input['question'] === 'string') {
    const { question, call } = input
    const schema = answerSchemaOf(input)
    // The question of a delegate's own delegate is handed on.
    return asksPermission(input) && call !== undefined
      ? { question, schema, call: call as PermissionQuestion['call'] }
      : { question, schema }
  }
  // The person must see what they approve, so the arguments stay whole.
  const question = `The agent "${agent}" asks to call "${name}" with ${JSON.stringify(input)}.`
  return { question, schema: PERMISSION_SCHEMA, call: { agent, name, input } }
}

function verdictOn(
  { approvalId, isQuestion: asks }: PendingApproval,
  { value }: Answer,
): ApprovalVerdict {
  if (asks)
    return value === undefined
      ? { approvalId, approved: false }
      : { approvalId, approved: true, value }
  const { approve, reason } = isObject(value) ? value : {}
  const told = typeof reason === 'string' && reason !== '' ? { reason } : {}
  return { approvalId, approved: approve === true, ...told }
}
