import { type CallOutcome, linkSignals, settle } from '@braidwork/core/internal'
import { Accumulator, type Message, type RunEvent, toMessages, type Usage } from '@braidwork/plugin'
import { systemEnvironment } from '../environment.ts'
import { inheritedIdentity, RuleBook, type RunScope } from '../policy/index.ts'
import type { RunAnswer } from '../run-answer.ts'
import type { RunResult } from '../run-result.ts'
import type { RunPlace } from '../storage/index.ts'
import type { AgentCall, ChildOrder, Delegate, Parent } from './child.ts'
import type { ChildOptions } from './child-options.ts'
import { cancelled, childOutcome, failed, notBegun, saidBy } from './child-outcome.ts'
import { timeFault, withinTime } from './child-time.ts'
import type { LanePlace, Lanes, Places } from './lanes.ts'
import { type ChildProgress, endProgress, progressOf } from './progress-of.ts'
import { promptOf, toolsOf } from './refusal.ts'
import type { ContinuedChild } from './taken-up.ts'
import type { WaitingChild } from './waiting-child.ts'

const SECONDS = 300

/** A child run, and what it has of its parent. */
export interface ChildWork {
  readonly delegate: Delegate
  readonly call: AgentCall
  readonly place: RunPlace
  /** The child so far, if it goes on. */
  readonly continued: ContinuedChild | undefined
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal
  readonly options: ChildOptions
  readonly lanes: Lanes
  readonly atOnce: Places
  readonly onAnswer: (answer: RunAnswer) => void
  readonly onSpent: (usage: Usage) => void
  /** The budget of the run that waits that is used up. */
  readonly spent: Parent['spent']
  readonly onProgress: (progress: ChildProgress) => void
}

/**
 * Runs a child when there is a place for it. Returns the outcome of the call, or the child as it waits for a person.
 * @throws {HostError} ABORTED, if the call is cancelled before
 */
export async function runChild(work: ChildWork): Promise<CallOutcome | WaitingChild> {
  const { signal, lanes, atOnce, place } = work
  const cancel = new AbortController()
  const unlink = linkSignals([signal], cancel)
  const lanePlace = lanes.placeIn(place.lane, cancel.signal)
  try {
    return await atOnce.with(cancel.signal, () =>
      lanePlace.with(() => runIn(lanePlace, work, cancel)),
    )
  } finally {
    unlink()
  }
}

async function runIn(
  lanePlace: LanePlace,
  work: ChildWork,
  cancel: AbortController,
): Promise<CallOutcome | WaitingChild> {
  const { delegate, options } = work
  const { environment = systemEnvironment, childLimits: { seconds = SECONDS } = {} } = options
  const { signal } = cancel
  const told = new Accumulator()
  const order = await orderOf(work, { lanePlace, told, signal })
  try {
    const result = resultOf(delegate, order)
    const ended = await withinTime(result, { cancel, seconds, environment })
    const end = endOf(work, { order, ended, told, signal })
    work.onProgress(endProgress(order.runId, work.place, end))
    return end
  } catch (error) {
    if (work.signal.aborted) return cancelled()
    return outOfTime(delegate.id, signal) ?? notBegun(delegate.id, error)
  }
}

/** The result of a child. One that has not begun when it is cancelled has none. */
async function resultOf({ begin }: Delegate, order: ChildOrder): Promise<RunResult> {
  const { result } = await settle(begin(order), { signal: order.signal })
  return result
}

/** What a child is told to use, and where it tells what it does. */
interface OrderParts {
  readonly lanePlace: LanePlace
  /** What the child has said, for the case that it does not end. */
  readonly told: Accumulator
  readonly signal: AbortSignal
}

async function orderOf(
  { call, place, continued, options, lanes, onAnswer, onSpent, spent, onProgress }: ChildWork,
  { lanePlace, told, signal }: OrderParts,
): Promise<ChildOrder> {
  const { environment = systemEnvironment, rules, identity, childLimits: limits = {} } = options
  const only = toolsOf(call)
  const onEvent = (event: RunEvent) => {
    told.add(event)
    const progress = progressOf(event, place)
    if (progress) onProgress(progress)
  }
  return {
    ...(continued ?? { runId: environment.newId('run'), messages: toMessages(promptOf(call)) }),
    parent: { place, lanes, lanePlace, onSpent, spent, onProgress },
    signal,
    limits,
    ...(only ? { only } : {}),
    ...(await narrowedRules(rules, call)),
    ...(identity ? { identity: inheritedIdentity(identity, scopeIn(call)) } : {}),
    canAsk: call.canAsk ?? true,
    onAnswer,
    onEvent,
  }
}

/** The scope of a task that names its tools. AL-07 */
function scopeIn(call: AgentCall): RunScope {
  const tools = toolsOf(call)
  return tools ? { tools } : {}
}

/** AL-17: what the owner changes while the child runs holds for it too. A task may have fewer tools. */
async function narrowedRules(
  rules: RuleBook | undefined,
  call: AgentCall,
): Promise<Pick<ChildOrder, 'rules'>> {
  const { tools } = scopeIn(call)
  const own = tools ? { allowed_tools: tools } : {}
  if (rules) return { rules: await rules.narrowedBy(own) }
  return tools ? { rules: await RuleBook.of(own) } : {}
}

interface Ended {
  readonly order: ChildOrder
  /** Undefined if the child did not end. */
  readonly ended: RunResult | undefined
  readonly told: Accumulator
  readonly signal: AbortSignal
}

function endOf(
  { delegate: { id: agent }, signal: parent }: ChildWork,
  { order: { runId, messages }, ended, told, signal }: Ended,
): CallOutcome | WaitingChild {
  if (parent.aborted) return cancelled()
  const late = outOfTime(agent, signal, ended?.messages ?? told.messages())
  if (late) return late
  if (!ended) return failed({ agent, status: 'failed', message: 'It did not end.' })
  const { suspension } = ended
  if (!suspension) return childOutcome(agent, ended)
  const history = [...messages, ...ended.messages]
  return { agent, runId, messages: history, suspension, verdicts: [] }
}

/** The outcome of a call whose child was cancelled because its time was over. AL-20 */
function outOfTime(
  agent: string,
  signal: AbortSignal,
  said: readonly Message[] = [],
): CallOutcome | undefined {
  const message = timeFault(signal)
  if (message === undefined) return undefined
  const text = saidBy(said)
  const told = { agent, status: 'timed_out', message } as const
  return failed(text === '' ? told : { ...told, text }, 'timeout')
}
