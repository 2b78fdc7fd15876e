import { assertKinds, ELSEWHERE, FUNCTION, type Kind } from '@braidwork/core/internal'
import {
  HostError,
  isObject,
  type Message,
  type Part,
  type RunEvent,
  toMessages,
} from '@braidwork/plugin'
import type { AgentSpec } from '../specs/index.ts'
import { contextParts } from './context.ts'
import type { EnvironmentHook } from './environment-hook.ts'
import { asked, assertAnswer, hookFailure } from './hook-failure.ts'
import { type HookTool, hookTools } from './hook-tools.ts'
import { latestUserMessage, withInserted, withoutInserted } from './inserted.ts'

const KINDS: { readonly [name in keyof EnvironmentHook]-?: Kind } = {
  name: ELSEWHERE,
  schema: FUNCTION,
  systemPrompt: FUNCTION,
  fetchContext: FUNCTION,
  context: FUNCTION,
  contextPriority: {
    has: (value) => typeof value === 'number' && !Number.isNaN(value),
    expected: 'a number',
  },
  onBuildAgent: FUNCTION,
  scopedTools: FUNCTION,
  preprocess: FUNCTION,
  onBeforeRun: FUNCTION,
  onEvent: FUNCTION,
  dispatch: FUNCTION,
}
export const HOOK_MEMBERS = Object.keys(KINDS) as readonly (keyof EnvironmentHook)[]

/** The environment hooks of a runtime as one, in the order of their registration. CT-05 */
export class EnvironmentHooks {
  readonly all: readonly EnvironmentHook[]
  /** The longest time that a member of a hook may take. */
  readonly seconds: number

  /** @throws {HostError} OPTION_INVALID if two hooks have the same name */
  constructor(hooks: readonly EnvironmentHook[], seconds: number) {
    const names = new Set<string>()
    for (const hook of hooks) {
      const { name } = hook
      if (typeof name !== 'string' || name === '') throw invalid('An environment hook has no name.')
      if (names.has(name)) throw invalid(`There are two environment hooks "${name}". Rename one.`)
      assertKinds(`the environment hook "${name}"`, membersOf(hook), KINDS, '/hooks')
      names.add(name)
    }
    this.all = [...hooks]
    this.seconds = seconds
  }

  /** The same hooks with another limit. */
  within(seconds: number): EnvironmentHooks {
    return seconds === this.seconds ? this : new EnvironmentHooks(this.all, seconds)
  }

  /** The spec as the hooks leave it, each on the answer of the one before. @throws {HostError} HOOK_FAILED */
  async built(spec: AgentSpec): Promise<AgentSpec> {
    let built = spec
    for (const hook of this.all) {
      const build = (one: EnvironmentHook) => one.onBuildAgent?.(structuredClone(built))
      const answer = await asked(hook, 'onBuildAgent', build, this.seconds)
      if (answer === undefined) continue
      const isSpec = isObject(answer) && typeof answer.id === 'string'
      assertAnswer(hook, 'onBuildAgent', isSpec, 'it returned no spec')
      const isSame = answer.id === spec.id
      assertAnswer(hook, 'onBuildAgent', isSame, `it renamed the agent "${spec.id}"`)
      built = answer
    }
    return built
  }

  /** The tools of all hooks for an agent. @throws {HostError} HOOK_FAILED, TOOL_ID_CONFLICT */
  tools(spec: AgentSpec): Promise<readonly HookTool[]> {
    return hookTools(this, spec)
  }

  /** The scope lines of all hooks in one block. Undefined if there are none. @throws {HostError} HOOK_FAILED */
  async scope(): Promise<string | undefined> {
    const lines: string[] = []
    for (const hook of this.all) {
      const line = await asked(hook, 'systemPrompt', (one) => one.systemPrompt?.(), this.seconds)
      const isText = line === undefined || typeof line === 'string'
      assertAnswer(hook, 'systemPrompt', isText, 'it returned no text')
      if (line !== undefined && line !== '') lines.push(line)
    }
    return lines.length > 0 ? lines.join('\n') : undefined
  }

  /** The parts of the context that the hooks give to a run. AL-15 @throws {HostError} HOOK_FAILED */
  context(agent: string, conversationId: string | undefined): Promise<readonly string[]> {
    return contextParts(this, agent, conversationId)
  }

  /**
   * The messages of a run as the model is to see them: with the content that a hook made of the latest user message,
   * and what the hooks insert before it. Inserted messages of an earlier run are left out. CT-16
   * @throws {HostError} HOOK_FAILED
   */
  async messagesFor(
    agent: string,
    conversationId: string | undefined,
    given: readonly Message[],
  ): Promise<readonly Message[]> {
    const history = await this.#preprocessed(agent, withoutInserted(given))
    const inserted: Message[] = []
    for (const hook of this.all) {
      const insert = async (one: EnvironmentHook) => {
        const answer = await one.onBeforeRun?.(agent, conversationId, history)
        const isNone = Array.isArray(answer) && answer.length === 0
        return answer === undefined || isNone ? [] : toMessages(answer)
      }
      inserted.push(...(await asked(hook, 'onBeforeRun', insert, this.seconds)))
    }
    return withInserted(history, inserted)
  }

  /** Shows an event to all hooks. A failure is passed to `warn`. CT-28 */
  tell(
    about: { readonly agent: string; readonly conversationId: string | undefined },
    event: RunEvent,
    warn: (message: string) => void,
  ): void {
    for (const hook of this.all) {
      if (!hook.onEvent) continue
      const fail = (cause: unknown) => warn(hookFailure(hook, 'onEvent', cause).message)
      guarded(() => hook.onEvent?.(about.agent, about.conversationId, event), fail)
    }
  }

  async #preprocessed(agent: string, history: readonly Message[]): Promise<readonly Message[]> {
    const at = latestUserMessage(history)
    const message = history[at]
    if (!message) return history
    for (const hook of this.all) {
      const change = async (one: EnvironmentHook) => {
        const content = await one.preprocess?.(agent, message.parts)
        return content === undefined ? undefined : withContent(message, content)
      }
      const changed = await asked(hook, 'preprocess', change, this.seconds)
      if (changed) return history.with(at, changed)
    }
    return history
  }
}

/** Calls an observer, which must not disturb what it observes, whether it throws or rejects. */
export function guarded(observe: () => unknown, fail: (cause: unknown) => void): void {
  try {
    const answer = observe()
    if (answer instanceof Promise) answer.catch(fail)
  } catch (error) {
    fail(error)
  }
}

/** A message with other content. @throws {HostError} MESSAGES_INVALID; {TypeError} for what is none */
function withContent(message: Message, content: readonly Part[] | string): Message {
  if (typeof content !== 'string' && !Array.isArray(content))
    throw new TypeError('it returned neither a text nor a list of parts')
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
  const changed = { ...message, parts }
  toMessages([changed])
  return changed
}

/** The members of a hook, which may be an instance of a class. */
function membersOf(hook: EnvironmentHook): Partial<EnvironmentHook> {
  return Object.fromEntries(HOOK_MEMBERS.map((member) => [member, hook[member]]))
}

function invalid(message: string): HostError {
  return new HostError('OPTION_INVALID', message, { pointer: '/hooks' })
}
