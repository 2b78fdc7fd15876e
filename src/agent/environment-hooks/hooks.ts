import { HostError, type Message, type Part, type RunEvent, toMessages } from '@braidwork/plugin'
import type { AgentSpec } from '../specs/index.ts'
import { contextParts } from './context.ts'
import type { EnvironmentHook } from './environment-hook.ts'
import { asked, hookFailure } from './hook-failure.ts'
import { type HookTool, hookTools } from './hook-tools.ts'
import { latestUserMessage, withInserted, withoutInserted } from './inserted.ts'

/** The environment hooks of a runtime as one, in the order of their registration. CT-05 */
export class EnvironmentHooks {
  readonly all: readonly EnvironmentHook[]
  /** The longest time that a member of a hook may take. */
  readonly seconds: number

  /** @throws {HostError} OPTION_INVALID if two hooks have the same name */
  constructor(hooks: readonly EnvironmentHook[], seconds: number) {
    const names = new Set<string>()
    for (const { name } of hooks) {
      if (typeof name !== 'string' || name === '') throw invalid('An environment hook has no name.')
      if (names.has(name)) throw invalid(`There are two environment hooks "${name}". Rename one.`)
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
      if (answer.id !== spec.id) {
        const cause = new TypeError(`it renamed the agent "${spec.id}"`)
        throw hookFailure(hook, 'onBuildAgent', cause)
      }
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
        return answer === undefined ? [] : toMessages(answer)
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

/** A message with other content. @throws {HostError} MESSAGES_INVALID */
function withContent(message: Message, content: readonly Part[] | string): Message {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
  const changed = { ...message, parts }
  toMessages([changed])
  return changed
}

function invalid(message: string): HostError {
  return new HostError('OPTION_INVALID', message, { pointer: '/hooks' })
}
