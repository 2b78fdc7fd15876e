import type { Host } from '@braidwork/core'
import { abortError, linkSignals, settle } from '@braidwork/core/internal'
import { HostError, type Message, type MessagesInput, textOf, toMessages } from '@braidwork/plugin'
import { remoteRun } from '../backends/index.ts'
import type { ChildOrder, ChildTool, Delegate } from '../children/index.ts'
import { dryRun, type RunDryRun } from '../dry-run.ts'
import { isInterruption } from '../interruption.ts'
import { run } from '../loop.ts'
import type { ChildRecord, RunLeg } from '../run-log/index.ts'
import type { RunOptions } from '../run-options.ts'
import type { RunStream } from '../run-result.ts'
import type { AgentSpec } from '../specs/index.ts'
import { childTools, memoryContext } from '../teams/index.ts'
import type {
  AgentPlan,
  OrderedPlan,
  PlannedDelegate,
  PlannedOrder,
  PlannedTeam,
  PlanOptions,
} from './agent-plan.ts'

/** Completes a plan for an order. @throws {HostError} HOOK_FAILED */
export async function orderedPlan(plan: AgentPlan, order: PlannedOrder): Promise<OrderedPlan> {
  const { sender } = order
  const sent = sender === undefined ? plan : { ...plan, sender }
  return plan.surround ? plan.surround(sent, order) : { plan: sent, messages: order.messages }
}

/** Waits, unless a signal aborts meanwhile. A run that is cancelled before it is asked for ends with its events. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal || signal.aborted) return work
  const own = new AbortController()
  const unlink = linkSignals([signal], own)
  return settle(work, { signal: own.signal }).finally(unlink)
}

/** Begins a run as planned. What is wrong with the agent's plugins, settings or tools ends the run. */
export function runPlan(host: Host, plan: AgentPlan, options: PlanOptions): RunStream {
  const { remote } = plan
  const { childLog: _to, shared: _with, ...own } = options
  if (remote) return remoteRun(remote, { ...own, ...observedBy(plan.onEvent, options.onEvent) })
  return run(host, runOptionsOf({ host, plan, options }))
}

/**
 * Builds the first request of a run as planned, without sending it.
 * @throws {HostError} OPERATION_UNSUPPORTED for an agent that runs elsewhere, and the errors of `dryRun`
 */
export async function dryRunPlan(
  host: Host,
  plan: AgentPlan,
  options: PlanOptions,
): Promise<RunDryRun> {
  if (!plan.remote) return dryRun(host, runOptionsOf({ host, plan, options }))
  const message = 'The agent runs on another server, which alone knows what its model is sent.'
  throw new HostError('OPERATION_UNSUPPORTED', message)
}

function runOptionsOf(asking: Asking): RunOptions {
  const { plan, options } = asking
  const {
    prompt,
    surround: _,
    sender: _by,
    warnings: _in,
    hasSubagents,
    team,
    tools = [],
    remote: __,
    ...rest
  } = plan
  const { childLog: _to, shared: _with, ...own } = options
  const askTools = [...(options.childTools ?? []), ...(team ? teamTools(team, asking) : [])]
  const delegates = [...(plan.delegates ?? []), ...(team ? missingMembers(team) : [])]
  return {
    ...own,
    ...rest,
    ...observedBy(plan.onEvent, options.onEvent),
    tools: [...tools, ...(options.tools ?? [])],
    delegates: delegates.map((one) => delegateOf(one, asking)),
    childTools: askTools,
    ...(hasSubagents && plan.agent ? { subagent: subagentOf(plan.agent, asking, askTools) } : {}),
    messages: prompted(prompt, options.messages),
  }
}

interface Asking {
  readonly host: Host
  /** The plan of the agent that asks, and the options of its run. */
  readonly plan: AgentPlan
  readonly options: PlanOptions
}

/** An agent that a run may ask. It is planned when it is asked. @param childTools those that it has beside its own */
function delegateOf(
  { plan: planned, ...found }: PlannedDelegate,
  asking: Asking,
  childTools: readonly ChildTool[] = [],
): Delegate {
  return {
    ...found,
    ...leftIn(asking),
    begin: async (order) => {
      const { messages } = order
      const { sender } = asking.plan
      const ordered = await orderedPlan(await planned(), { messages, sender })
      return begun(ordered, { ...order, childTools }, asking)
    },
  }
}

/** The agent of a run once more, for a part of its work. It works in the same team. */
function subagentOf(
  { id }: Pick<AgentSpec, 'id'>,
  asking: Asking,
  childTools: readonly ChildTool[],
): Delegate {
  const { team: _, ...plan } = asking.plan
  return {
    id,
    ...leftIn(asking),
    begin: ({ messages, ...order }) =>
      begun(
        { plan: narrowedTo(order.only, plan), messages },
        { ...order, messages, childTools },
        asking,
      ),
  }
}

/** A plan whose runs are offered these tools only. */
function narrowedTo(only: ChildOrder['only'], plan: AgentPlan): AgentPlan {
  if (!only) return plan
  const withholds: AgentPlan['withholds'] = (tool) =>
    only.includes(tool.name) ? plan.withholds?.(tool) : 'the task does not name it'
  return { ...plan, withholds }
}

/** The tools of the agent that has a team. What its members share belongs to this run. */
function teamTools({ team, plan }: PlannedTeam, asking: Asking): readonly ChildTool[] {
  const { shared: context = memoryContext() } = asking.options
  return childTools({
    team,
    context,
    isStored: asking.options.childLog !== undefined,
    delegateOf: ({ id }, tools) => delegateOf({ id, plan: () => plan(id) }, asking, tools),
  })
}

/** The members that cannot be asked: the run warns of them. */
function missingMembers({ team, plan }: PlannedTeam): readonly PlannedDelegate[] {
  return team.members.flatMap(({ id, missing }) =>
    missing === undefined ? [] : [{ id, missing, plan: () => plan(id) }],
  )
}

function leftIn({ options: { childLog } }: Asking): Pick<Delegate, 'left'> {
  return childLog ? { left: childLog.find } : {}
}

interface ToolOrder extends ChildOrder {
  readonly childTools: readonly ChildTool[]
}

async function begun(
  ordered: OrderedPlan,
  order: ToolOrder,
  { host, options: asking }: Asking,
): Promise<Pick<RunStream, 'result'>> {
  const { resume } = order
  if (ordered.plan.remote && resume && isInterruption(resume)) throw cutOff(order)
  if (order.signal.aborted && !resume) throw abortError(order.signal)
  const options = { ...childOptions(asking, order), messages: ordered.messages }
  const open = ({ fault: _fault, settled: _settled, ...leg }: Partial<RunLeg> = {}) =>
    runPlan(host, ordered.plan, { ...options, ...leg })
  const { childLog } = asking
  return childLog ? childLog.record(recordOf(order), open) : open()
}

function recordOf({ runId, parent, messages, resume, signal }: ChildOrder): ChildRecord {
  const [asked] = messages
  const prompt = asked ? textOf(asked) : ''
  return { runId, place: parent.place, prompt, begins: beginningOf(resume), signal }
}

/** Another server has been asked, and may work on it: it is not asked again. LT-10 */
function cutOff({ parent }: ChildOrder): HostError {
  const { agent } = parent.place
  const message = `The connection to the agent "${agent}" ended with the process that asked it; what it did is not known.`
  return new HostError('RUN_INTERRUPTED', message)
}

function beginningOf(resume: ChildOrder['resume']): ChildRecord['begins'] {
  if (!resume) return 'anew'
  return isInterruption(resume) ? 'interrupted' : 'answered'
}

/** The options of a child run. Tools of the caller, steering and the conversation are its parent's alone. */
function childOptions(
  { environment, breakers, canReset, results, committed }: PlanOptions,
  { limits: childLimits, only: _, ...order }: ToolOrder,
): PlanOptions {
  return {
    ...order,
    childLimits,
    ...(environment ? { environment } : {}),
    ...(breakers ? { breakers } : {}),
    ...(canReset === undefined ? {} : { canReset }),
    ...(results ? { results } : {}),
    ...(committed ? { committed } : {}),
  }
}

function observedBy(
  first: AgentPlan['onEvent'],
  second: PlanOptions['onEvent'],
): Pick<RunOptions, 'onEvent'> {
  if (!first && !second) return {}
  const onEvent: RunOptions['onEvent'] = (event, warn) => {
    first?.(event, warn)
    second?.(event, warn)
  }
  return { onEvent }
}

/** Puts the prompt in front of messages. What is no message is left for the run to refuse, which never throws. */
function prompted(prompt: readonly Message[], messages: MessagesInput): MessagesInput {
  if (typeof messages !== 'string' && !Array.isArray(messages)) return messages
  if (prompt.length === 0 || messages.length === 0) return messages
  return [...prompt, ...(typeof messages === 'string' ? toMessages(messages) : messages)]
}
