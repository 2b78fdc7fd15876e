import type { Host } from '@braidwork/core'
import {
  type Message,
  type MessagesInput,
  type RunEvent,
  textOf,
  toMessages,
} from '@braidwork/plugin'
import { remoteRun } from '../backends/index.ts'
import type { ChildOrder, Delegate } from '../children/index.ts'
import { type RunStream, run } from '../loop.ts'
import type { ChildRecord, RunLeg } from '../run-log/index.ts'
import type { RunOptions } from '../run-options.ts'
import type { AgentSpec } from '../specs/index.ts'
import type {
  AgentPlan,
  OrderedPlan,
  PlannedDelegate,
  PlannedOrder,
  PlanOptions,
} from './agent-plan.ts'

/** Completes a plan for an order. @throws {HostError} HOOK_FAILED */
export async function orderedPlan(plan: AgentPlan, order: PlannedOrder): Promise<OrderedPlan> {
  const { sender } = order
  const sent = sender === undefined ? plan : { ...plan, sender }
  return plan.surround ? plan.surround(sent, order) : { plan: sent, messages: order.messages }
}

/** Begins a run as planned. What is wrong with the agent's plugins, settings or tools ends the run. */
export function runPlan(host: Host, plan: AgentPlan, options: PlanOptions): RunStream {
  const { prompt, surround: _, sender: _by, hasSubagents, tools = [], remote, ...rest } = plan
  const { delegates = [] } = plan
  const { recordChild: _to, ...own } = options
  if (remote) return remoteRun(remote, { ...own, ...observing(plan) })
  const children = { host, plan, options }
  return run(host, {
    ...own,
    ...rest,
    tools: [...tools, ...(options.tools ?? [])],
    delegates: delegates.map((one) => delegateOf(one, children)),
    ...(hasSubagents && plan.agent ? { subagent: subagentOf(plan.agent, children) } : {}),
    messages: prompted(prompt, options.messages),
  })
}

interface Asking {
  readonly host: Host
  /** The plan of the agent that asks, and the options of its run. */
  readonly plan: AgentPlan
  readonly options: PlanOptions
}

/** An agent that a run may ask. It is planned when it is asked. */
function delegateOf({ plan: planned, ...found }: PlannedDelegate, asking: Asking): Delegate {
  return {
    ...found,
    begin: async (order) => {
      const { messages } = order
      const { sender } = asking.plan
      return begun(await orderedPlan(await planned(), { messages, sender }), order, asking)
    },
  }
}

/** The agent of a run once more, for a part of its work. */
function subagentOf({ id }: Pick<AgentSpec, 'id'>, asking: Asking): Delegate {
  const { plan } = asking
  return { id, begin: (order) => begun({ plan, messages: order.messages }, order, asking) }
}

async function begun(
  ordered: OrderedPlan,
  order: ChildOrder,
  { host, options: asking }: Asking,
): Promise<Pick<RunStream, 'result'>> {
  const plan = { ...ordered.plan, onEvent: both(ordered.plan.onEvent, order.onEvent) }
  const options = { ...childOptions(asking, order), messages: ordered.messages }
  const open = (leg?: RunLeg) => runPlan(host, plan, { ...options, ...leg })
  const { recordChild } = asking
  return recordChild ? recordChild(recordOf(order), open) : open()
}

function recordOf({ runId, parent, messages, resume, signal }: ChildOrder): ChildRecord {
  const [asked] = messages
  const prompt = asked ? textOf(asked) : ''
  return { runId, place: parent.place, prompt, isResumed: resume !== undefined, signal }
}

/** The options of a child run. Tools of the caller, steering and the conversation are its parent's alone. */
function childOptions(
  { environment, breakers, canReset, results, committed }: PlanOptions,
  { limits: childLimits, onEvent: _, ...order }: ChildOrder,
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

function both(
  first: RunOptions['onEvent'],
  second: (event: RunEvent) => void,
): NonNullable<RunOptions['onEvent']> {
  return (event, warn) => {
    first?.(event, warn)
    second(event)
  }
}

function observing({ onEvent }: AgentPlan): Pick<AgentPlan, 'onEvent'> {
  return onEvent ? { onEvent } : {}
}

/** Puts the prompt in front of messages. What is no message is left for the run to refuse, which never throws. */
function prompted(prompt: readonly Message[], messages: MessagesInput): MessagesInput {
  if (prompt.length === 0 || messages.length === 0) return messages
  if (typeof messages === 'string') return [...prompt, ...toMessages(messages)]
  return Array.isArray(messages) ? [...prompt, ...messages] : messages
}
