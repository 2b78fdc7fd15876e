import type { ConfigLayer, Host } from '@braidwork/core'
import { folderInstructions, isListOf } from '@braidwork/core/internal'
import {
  type ContextItem,
  HostError,
  type Message,
  type MessagesInput,
  type TextPart,
  toMessages,
} from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import {
  type AgentEnvironment,
  askedEnvironment,
  assertEnvironmentAnswer,
  callerTools,
  EnvironmentHooks,
  EventFeed,
  guarded,
  type InstructionsFile,
  isInstructionsFile,
  scopeReason,
  wrappedInstructions,
} from '../environment-hooks/index.ts'
import type { AgentPlan, OrderedPlan, PlannedAgent, PlannedOrder } from './agent-plan.ts'
import { Backends } from './remote-agents.ts'
import type { RuntimeOptions } from './runtime-options.ts'
import { RuntimeTools } from './runtime-tools.ts'
import { withholding } from './trials.ts'

/** What surrounds the runs of a runtime. Runtimes of the same program share it. */
export interface Surroundings {
  /** The hook of `tools` comes first. */
  readonly hooks: EnvironmentHooks
  readonly tools: RuntimeTools
  readonly environment: AgentEnvironment
  readonly feed: EventFeed
  readonly backends: Backends
}

/** @throws {HostError} OPTION_INVALID for a hook without a name of its own */
export function surroundingsOf(
  host: Host,
  {
    environment = {},
    hooks = [],
    backends,
  }: Pick<RuntimeOptions, 'environment' | 'hooks' | 'backends'>,
): Surroundings {
  const tools = new RuntimeTools()
  return {
    hooks: new EnvironmentHooks([tools, ...hooks], limitsOf(host.config).hook),
    tools,
    environment,
    feed: new EventFeed(host.closing),
    backends: new Backends(backends),
  }
}

/** The same surroundings, with the limit of hooks that a config sets over that of the host, if it sets one. */
export function within(surroundings: Surroundings, { limits }: ConfigLayer = {}): Surroundings {
  const { hooks } = surroundings
  return { ...surroundings, hooks: hooks.within(limits?.hook ?? hooks.seconds) }
}

/** What the runs of one agent need of them. */
type Watching = Pick<Surroundings, 'hooks' | 'environment' | 'feed'>

/**
 * Adds to a plan what surrounds its run. A request is its history, its instructions and its tools, and nothing else.
 * CT-29
 * @throws {HostError} HOOK_FAILED
 */
export async function surrounded(
  { agent: spec, ...plan }: PlannedAgent,
  { messages, conversationId, sender }: PlannedOrder,
  { hooks, environment, feed }: Watching,
): Promise<OrderedPlan> {
  const given = messagesIn(messages)
  if (!given) return { plan: { ...plan, agent: spec }, messages }
  const origin = { agent: spec.id, ...definedOf({ sender, conversationId }) }
  const history = await hooks.messagesFor(spec.id, conversationId, given)
  const hookTools = await hooks.tools(spec)
  const outOfScope = withholding((tool) => scopeReason(hookTools, tool))
  const ordered: AgentPlan = {
    ...plan,
    agent: spec,
    ...(await promptOf({ ...plan, agent: spec }, conversationId, { hooks, environment })),
    tools: callerTools(hookTools, hooks.all, origin),
    withholds: (tool) => plan.withholds?.(tool) ?? outOfScope(tool),
    onEvent: observer(spec.id, conversationId, { hooks, environment, feed }),
  }
  return { plan: ordered, messages: history }
}

/** Adds to the plan of a remote agent who sees its events; nothing else of the surroundings reaches it. */
export function observed(
  { agent, ...plan }: PlannedAgent,
  { messages, conversationId }: PlannedOrder,
  surroundings: Watching,
): OrderedPlan {
  const onEvent = observer(agent.id, conversationId, surroundings)
  return { plan: { ...plan, agent, onEvent }, messages }
}

/** Tells the events of a run to hooks, environment and feed. */
function observer(
  agent: string,
  conversationId: string | undefined,
  { hooks, environment, feed }: Watching,
): NonNullable<AgentPlan['onEvent']> {
  return (event, warn) => {
    hooks.tell({ agent, conversationId }, event, warn)
    guarded(
      () => environment.onAgentEvent?.(agent, conversationId, event),
      (cause) => warn(`"onAgentEvent" of the environment failed: ${String(cause)}`),
    )
    feed.publish({ agent, ...definedOf({ conversationId }), event })
  }
}

/** The messages of an order. Undefined if they are malformed: the run refuses them, with its ending. */
function messagesIn(messages: MessagesInput): readonly Message[] | undefined {
  try {
    return toMessages(messages)
  } catch (error) {
    if (HostError.is(error)) return undefined
    throw error
  }
}

/** The system message: the agent's prompt, the scope and context of the hooks, and the instructions of the folder. */
async function promptOf(
  { agent, prompt }: PlannedAgent,
  conversationId: string | undefined,
  { hooks, environment }: Pick<Surroundings, 'hooks' | 'environment'>,
): Promise<Pick<AgentPlan, 'prompt' | 'context'>> {
  const files = await instructionsFor(conversationId, environment, hooks.seconds)
  const context = await hooks.context(agent.id, conversationId)
  const scope = await hooks.scope()
  const texts = [scope, ...context, wrappedInstructions(files)]
  const added = texts.flatMap((text): TextPart[] =>
    text === undefined ? [] : [{ type: 'text', text }],
  )
  const parts = [...prompt.flatMap((message) => message.parts), ...added]
  return {
    prompt: parts.length > 0 ? [{ role: 'system', parts }] : [],
    context: [
      ...(prompt.length > 0 ? [instructions(`system prompt of agent "${agent.id}"`)] : []),
      ...(scope === undefined ? [] : [instructions('scope lines of environment hooks')]),
      ...context.map(() => ({ ...instructions('context of an environment hook'), ...KNOWLEDGE })),
      ...files.map(({ path, isCut }) => instructions(path, isCut)),
    ],
  }
}

/** The instructions of the working directory. @throws {HostError} HOOK_FAILED, TIMEOUT */
async function instructionsFor(
  conversationId: string | undefined,
  environment: AgentEnvironment,
  seconds: number,
): Promise<readonly InstructionsFile[]> {
  const place = (one: AgentEnvironment) => one.effectiveCwd?.(conversationId)
  const cwd = await askedEnvironment(environment, 'effectiveCwd', place, seconds)
  if (cwd === undefined) return []
  assertEnvironmentAnswer('effectiveCwd', typeof cwd === 'string', 'it returned no text')
  const discover = (one: AgentEnvironment) =>
    one.discoverInstructions ? one.discoverInstructions(cwd) : folderInstructions(cwd)
  const files = await askedEnvironment(environment, 'discoverInstructions', discover, seconds)
  const isList = files === undefined || isListOf(files, isInstructionsFile)
  const fault = 'it returned no list of files, each with its "path" and "text"'
  assertEnvironmentAnswer('discoverInstructions', isList, fault)
  return files ?? []
}

const KNOWLEDGE = { kind: 'knowledge' } as const

/** Instructions as a part of the context. */
function instructions(ref: string, isCut = false): ContextItem {
  const item = { kind: 'instructions', ref } as const
  return isCut
    ? { ...item, status: 'shortened', reason: 'it is too long' }
    : { ...item, status: 'included' }
}

/** The members that are not undefined. */
function definedOf<T extends object>(members: T): { [key in keyof T]?: NonNullable<T[key]> } {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [key in keyof T]?: NonNullable<T[key]> }
}
