import { isOfHost } from '@braidwork/agent/internal'
import { addUsage, type Message } from '@braidwork/plugin'
import { defined, type RunFacts } from '../index.ts'
import type { UiMessageStreamOptions } from './encoder.ts'
import { finishMetadata, type KnownApproval, startMetadata } from './ui-parts.ts'
import { givenPart, type Step, UiStep } from './ui-step.ts'

/** A message of a chat UI. */
export interface UiMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly metadata?: object
  readonly parts: readonly object[]
}

/** Facts about a history that its messages do not contain. */
export interface UiHistory extends UiMessageStreamOptions {
  /** Returns the facts of the run that wrote a message, as its encoder had them. */
  readonly factsOf?: (message: Message) => RunFacts | undefined
  /** The approvals that were requested, with their answers. */
  readonly approvals?: readonly KnownApproval[]
}

/** Converts a history to UI messages, equal to those that a client builds from the streams. */
export function toUiMessages(messages: readonly Message[], history: UiHistory = {}): UiMessage[] {
  const approvals = byCall(history.approvals ?? [])
  return groupsOf(messages).map((group, index) => {
    const [first] = group
    const id = group.find((message) => message.id !== undefined)?.id ?? `message-${index + 1}`
    if (first.role === 'assistant' || first.role === 'tool')
      return answerOf(group, id, { ...history, approvals })
    const { role, metadata } = first
    return { id, role, ...defined({ metadata }), parts: first.parts.flatMap(givenPart) }
  })
}

function byCall(approvals: readonly KnownApproval[]): ApprovalsByCall {
  const all = new Map<string, KnownApproval[]>()
  for (const approval of approvals) {
    const same = all.get(approval.callId)
    if (same) same.push(approval)
    else all.set(approval.callId, [approval])
  }
  return all
}

type ApprovalsByCall = ReadonlyMap<string, readonly KnownApproval[]>
type AnswerHistory = Omit<UiHistory, 'approvals'> & { readonly approvals: ApprovalsByCall }

type Group = readonly [Message, ...Message[]]

/** Groups messages: consecutive assistant and tool messages form one UI message. */
function groupsOf(messages: readonly Message[]): readonly Group[] {
  const groups: [Message, ...Message[]][] = []
  let isAnswering = false
  for (const message of messages) {
    // Skip messages that the host inserted for the model in the middle of a response.
    if (isOfHost(message)) continue
    const isAnswer = message.role === 'assistant' || message.role === 'tool'
    const last = groups.at(-1)
    if (last && isAnswer && isAnswering) last.push(message)
    else groups.push([message])
    isAnswering = isAnswer
  }
  return groups
}

function answerOf(group: Group, id: string, history: AnswerHistory): UiMessage {
  const { approvals, sdk = 5 } = history
  const facts = factsOfAnswer(group, history)
  const steps = stepsOf(group)
  const parts = steps.flatMap((step, index) =>
    new UiStep(step, { facts, approvals, sdk, step: index + 1 }).parts(),
  )
  const metadata = { ...(facts ? startMetadata(facts) : {}), ...endOf(group) }
  return {
    id: facts?.messageId ?? id,
    role: 'assistant',
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    parts: isAnswered(steps.at(-1)) ? [...parts, { type: 'step-start' }] : parts,
  }
}

/** Whether a step has calls of which none is open. The stream then ends with an empty step, unless its run failed. */
function isAnswered(step: Step | undefined): boolean {
  if (!step || step.results.length === 0) return false
  const answered = new Set(step.results.map(({ callId }) => callId))
  return step.parts.every(
    (part) => part.type !== 'tool-call' || part.providerExecuted || answered.has(part.callId),
  )
}

/**
 * Returns the facts of the last run that wrote a message, because a client keeps the metadata sent last, with the
 * client tools of all its runs.
 */
function factsOfAnswer(group: Group, { factsOf }: AnswerHistory): RunFacts | undefined {
  const all = [...new Set(group.flatMap((message) => factsOf?.(message) ?? []))]
  const last = all.at(-1)
  if (!last) return undefined
  return { ...last, clientTools: new Set(all.flatMap(({ clientTools }) => [...clientTools])) }
}

function endOf(group: Group): object {
  const answers = group.filter(({ role }) => role === 'assistant')
  const { finishReason } = answers.at(-1)?.metadata ?? {}
  if (finishReason === undefined) return {}
  // The results of calls have what their child runs used.
  const usages = group.map(({ metadata }) => metadata?.usage ?? {})
  const usage = usages.reduce((sum, one) => addUsage(sum, one), {})
  return finishMetadata({ finishReason, usage, messages: answers })
}

function stepsOf(group: Group): readonly Step[] {
  const steps: Step[] = []
  let open: Step | undefined
  for (const { role, parts } of group) {
    // Assistant parts after results belong to the next step.
    if (open === undefined || (role === 'assistant' && open.results.length > 0)) {
      open = { parts: [], results: [] }
      steps.push(open)
    }
    for (const part of parts) {
      if (role === 'assistant') open.parts.push(part)
      else if (part.type === 'tool-result') open.results.push(part)
    }
  }
  return steps
}
