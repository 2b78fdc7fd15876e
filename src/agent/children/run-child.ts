import { type CallOutcome, linkSignals, settle } from '@braidwork/core/internal'
import { isObject, type RunEvent, toMessages } from '@braidwork/plugin'
import { systemEnvironment } from '../environment.ts'
import { RuleBook } from '../policy/index.ts'
import type { RunAnswer } from '../run-answer.ts'
import type { RunResult } from '../run-result.ts'
import type { RunPlace } from '../storage/index.ts'
import type { AgentCall, ChildOptions, ChildOrder, Delegate } from './child.ts'
import { cancelled, childOutcome, failed, notBegun, saidBy } from './child-outcome.ts'
import { timeFault, withinTime } from './child-time.ts'
import type { LanePlace, Lanes, Places } from './lanes.ts'
import { progressOf } from './progress-of.ts'
import { promptOf } from './refusal.ts'
import { resumptionIn, type WaitingChild } from './waiting-child.ts'

const SECONDS = 300

/** A child run, and what it has of its parent. */
export interface ChildWork {
  readonly delegate: Delegate
  readonly call: AgentCall
  readonly place: RunPlace
  /** The child as it waited, if it goes on with an answer. */
  readonly waited: WaitingChild | undefined
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal
  readonly options: ChildOptions
  readonly lanes: Lanes
  readonly atOnce: Places
  readonly onAnswer: (answer: RunAnswer) => void
  readonly onProgress: (progress: unknown) => void
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
  const order = await orderOf(work, lanePlace, cancel.signal)
  try {
    const { result } = await settle(delegate.begin(order), { signal: cancel.signal })
    const ended = await withinTime(result, { cancel, seconds, environment })
    return endOf(work, { order, ended, signal: cancel.signal })
  } catch (error) {
    return work.signal.aborted ? cancelled() : notBegun(delegate.id, error)
  }
}

async function orderOf(
  { call, place, waited, options, lanes, onAnswer, onProgress }: ChildWork,
  lanePlace: LanePlace,
  signal: AbortSignal,
): Promise<ChildOrder> {
  const { environment = systemEnvironment, rules, childLimits: limits = {} } = options
  const resume = waited && resumptionIn(waited)
  const onEvent = (event: RunEvent) => {
    const progress = progressOf(event, place)
    if (progress) onProgress(progress)
  }
  return {
    runId: waited?.runId ?? environment.newId('run'),
    messages: waited?.messages ?? toMessages(promptOf(call)),
    ...(resume ? { resume } : {}),
    parent: { place, lanes, lanePlace },
    signal,
    limits,
    ...(await narrowedRules(rules, call)),
    canAsk: call.canAsk ?? true,
    onAnswer,
    onEvent,
  }
}

/** AL-17: what the owner changes while the child runs holds for it too. A task may have fewer tools. */
async function narrowedRules(
  rules: RuleBook | undefined,
  { input }: AgentCall,
): Promise<Pick<ChildOrder, 'rules'>> {
  const tools = isObject(input) && Array.isArray(input['tools']) ? input['tools'] : undefined
  const own = tools ? { allowed_tools: tools.map(String) } : {}
  if (rules) return { rules: await rules.narrowedBy(own) }
  return tools ? { rules: await RuleBook.of(own) } : {}
}

interface Ended {
  readonly order: ChildOrder
  /** Undefined if the child did not end. */
  readonly ended: RunResult | undefined
  readonly signal: AbortSignal
}

function endOf(
  { delegate: { id: agent }, signal: parent }: ChildWork,
  { order: { runId, messages }, ended, signal }: Ended,
): CallOutcome | WaitingChild {
  if (parent.aborted) return cancelled()
  const message = timeFault(signal)
  if (message !== undefined) {
    const text = saidBy(ended?.messages ?? [])
    const told = { agent, status: 'timed_out', message } as const
    return failed(text === '' ? told : { ...told, text }, 'timeout')
  }
  if (!ended) return failed({ agent, status: 'failed', message: 'It did not end.' })
  const { suspension } = ended
  if (!suspension) return childOutcome(agent, ended)
  const history = [...messages, ...ended.messages]
  return { agent, runId, messages: history, suspension, verdicts: [] }
}
