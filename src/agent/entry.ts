import type { OpenedConfig, Sink } from '@braidwork/core/internal'
import { hostCalls } from '@braidwork/core/internal'
import { type Message, type RunEventBody, type ToolCallPart, toMessages } from '@braidwork/plugin'
import type { Resumption } from './approvals.ts'
import { assertChosenTool, callsSinceUser } from './forced-choice.ts'
import {
  type InterruptedAt,
  type Interruption,
  isInterruption,
  type LeftCalls,
} from './interruption.ts'
import type { Leg } from './leg.ts'
import type { StepEnd } from './next.ts'
import type { OpenedModels } from './opened-models.ts'
import type { PhaseFacts } from './phases/index.ts'
import { SUSPENDED } from './run-endings.ts'
import type { RunOptions } from './run-options.ts'
import { type RunRecord, resumptionEvents, startOf } from './run-record.ts'
import type { StepRequests } from './step-requests.ts'
import { type CallRunner, isClientCall } from './tool-calls/index.ts'
import { inOrderOf, type WaitedStep, waitedStep } from './waited-step.ts'
import { assertWaitFor } from './waiting-calls.ts'

/** Where a leg begins. */
export type EntryPoint = { readonly leg: Leg } & (
  | { readonly at: 'start'; readonly requestId: string }
  /** Again at the step whose answer was cut off. */
  | { readonly at: 'step' }
  /** After an answer that had arrived before the run was interrupted. */
  | {
      readonly at: 'answer'
      readonly requestId: string
      readonly result: Extract<InterruptedAt, { readonly at: 'calls' }>
      readonly left: LeftCalls
    }
  /** After the calls that waited for a person. The run is suspended if one waits again, or one is the client's. */
  | { readonly at: 'results'; readonly facts: PhaseFacts; readonly end: StepEnd }
)

export interface EntryParts {
  readonly options: RunOptions
  readonly record: RunRecord
  readonly calls: CallRunner
  readonly requests: StepRequests
  readonly models: OpenedModels
  readonly sink: Sink<readonly RunEventBody[]>
  /** Opens the leg. */
  readonly open: () => Promise<Leg>
}

/** Begins a run or a further leg of it, or goes on where the run was interrupted. */
export async function enter(parts: EntryParts): Promise<EntryPoint> {
  const { options, record } = parts
  const { resume } = options
  if (!resume) {
    const requestId = record.newRequestId()
    const leg = await beginLeg(parts, requestId)
    assertChosenTool(leg.opened)
    return { at: 'start', leg, requestId }
  }
  if (isInterruption(resume)) return goOn(parts, resume)
  const leg = await beginLeg(parts, record.runId)
  await leg.opened.offerFor(givenTo(options))
  return answered(parts, leg, { resumption: resume })
}

/** The messages that a model is given. A run of a given call needs none. */
function givenTo({ messages, call }: RunOptions): readonly Message[] {
  return call ? [] : toMessages(messages)
}

/** Runs the calls that waited for approvals, with the tools that the config offers now. */
async function answered(
  { options, calls, record, requests }: EntryParts,
  leg: Leg,
  { resumption, left }: { readonly resumption: Resumption; readonly left?: LeftCalls },
): Promise<EntryPoint> {
  const { opened } = leg
  if (!options.call) assertWaitFor(givenTo(options), resumption.approvals)
  const scope = { opened, leg, ...(left ? { left } : {}) }
  const { pending, results } = await calls.resume(resumption, scope)
  record.suspend(pending)
  const given = givenTo(options)
  const step = waitedStep(given, resumption.approvals)
  const own = step.calls.filter((call) => !isClientCall(call, opened))
  const isOpen = pending.length > 0 || hasClientCall(step, opened)
  const facts = { ...step, calls: own, results: inOrderOf(own, [...step.results, ...results]) }
  if (pending.length === 0) leg.progress.addResults(facts.results)
  requests.relaxToolChoice(opened, [...callsSinceUser(given), ...step.calls])
  const ended = isOpen ? SUSPENDED : leg.stepLimit
  return { at: 'results', leg, facts, end: { finishReason: 'tool-calls', ended } }
}

/** Whether the client has yet to answer a call of a step. */
function hasClientCall({ calls, results }: WaitedStep, opened: OpenedConfig): boolean {
  const done = new Set(results.map(({ callId }) => callId))
  return calls.some((call) => isClientCall(call, opened) && !done.has(call.callId))
}

/** Goes on with the leg of a process that has ended. LT-10 */
async function goOn(parts: EntryParts, interruption: Interruption): Promise<EntryPoint> {
  const { options, record, requests, sink } = parts
  const { interrupted, calls: left, hasBegun, messages, uncounted } = interruption
  const leg = hasBegun ? await parts.open() : await beginLeg(parts, record.runId)
  record.restore(interruption)
  await leg.opened.offerFor([...givenTo(options), ...messages])
  await sink(resumptionEvents(interruption))
  if (hasBegun) await sink(parts.models.toldOf(leg.opened, left.tools))
  if (interrupted.at === 'start') {
    return { at: 'start', leg, requestId: record.newRequestId() }
  }
  leg.progress.addUsage({ usage: uncounted }, leg.opened.modelInfo)
  if (interrupted.at === 'approvals') {
    return answered(parts, leg, { resumption: interrupted.resumption, left })
  }
  const called = [...calledBefore(givenTo(options), interruption), ...hostCalls(messages)]
  requests.relaxToolChoice(leg.opened, called)
  if (interrupted.at === 'answer') return { at: 'step', leg }
  leg.progress.addAnswer(interrupted.messages)
  return { at: 'answer', leg, requestId: record.runId, result: interrupted, left }
}

/** The calls of the legs of a run before the interrupted one. Before the first leg, the run has made none. */
function calledBefore(
  given: readonly Message[],
  { steps, starts = [] }: Interruption,
): readonly ToolCallPart[] {
  return steps > starts.length ? callsSinceUser(given) : []
}

/** Tells the start of a leg, its model, and the tools that the config has for it. LR-01 */
async function beginLeg(
  { options, sink, models, open }: EntryParts,
  requestId: string,
): Promise<Leg> {
  await sink([startOf(options, requestId)])
  const leg = await open()
  await sink(models.toldOf(leg.opened))
  return leg
}
