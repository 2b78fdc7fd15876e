import {
  type Config,
  type HookName,
  HostError,
  isObject,
  VALUES,
  type ValueName,
} from '@braidwork/plugin'
import { type AnyPlugin, limitsOf, toHostError } from '@braidwork/plugin/internal'
import { askValue, bindHook, hasHook, hasValue } from '../hooks/index.ts'
import { PYTHON } from '../load/index.ts'
import type { EnabledPlugins, Resolved } from '../resolve/index.ts'
import { maskedError } from './masked-error.ts'
import { withOwnSignal } from './signals/own-signal.ts'
import { contextFor, type Running } from './tools/tool-execution.ts'

/** A feature with a hook for the run or for its tool calls. */
export interface AskedFeature {
  readonly name: string
  /**
   * Asks the hook. The answer is an object, or undefined for nothing. Secrets of the config are masked in errors.
   * @throws {HostError} HOOK_FAILED, HOOK_ANSWER_INVALID, TIMEOUT, ABORTED
   */
  readonly ask: (
    ...args: readonly unknown[]
  ) => Promise<{ readonly [key: string]: unknown } | undefined>
}

/** A value that a feature has. */
export interface DeclaredValue {
  readonly plugin: string
  readonly value: unknown
  /** The name of the value in the language of the plugin, such as `state_keys`. */
  readonly member: string
}

/** The plugins whose hooks, gates, transforms and tools act: of features and tools only those that are listed. AW-65 */
export function activePlugins(
  plugins: EnabledPlugins,
  active: readonly string[] | undefined,
): EnabledPlugins {
  if (active === undefined) return plugins
  const isActive = ({ name }: AnyPlugin) => active.includes(name)
  const { features, tools } = plugins
  return { ...plugins, features: features.filter(isActive), tools: tools.filter(isActive) }
}

/** The hooks and values of a config's features for runs and tool calls. */
export class FeatureHooks {
  readonly #config: Config
  readonly #all: readonly AnyPlugin[]
  readonly #active: readonly AnyPlugin[]
  readonly #runningOf: () => Running

  /** @param active the features whose hooks act @param runningOf called only if a feature has the hook */
  constructor(
    { config, plugins }: Pick<Resolved, 'config' | 'plugins'>,
    active: readonly AnyPlugin[],
    runningOf: () => Running,
  ) {
    this.#config = config
    this.#all = plugins.features
    this.#active = active
    this.#runningOf = runningOf
  }

  /** The features that have a hook, in their order. */
  with(hook: HookName): readonly AskedFeature[] {
    return this.#asked(this.#active, hook)
  }

  /** All features that have the hook of a handler, whether they are active or not. AW-65 */
  handling(hook: HookName): readonly AskedFeature[] {
    return this.#asked(this.#all, hook)
  }

  /** Whether a feature, active or not, has one of these values. */
  declares(names: readonly ValueName[]): boolean {
    return this.#all.some((plugin) => names.some((name) => hasValue(plugin, name)))
  }

  /** The values that all features have under a name, whether they are active or not. @throws {HostError} HOOK_FAILED */
  async declaring(name: ValueName): Promise<readonly DeclaredValue[]> {
    const declared: DeclaredValue[] = []
    for (const plugin of this.#all) {
      const frame = { plugin, phase: 'resolve', limits: limitsOf(this.#config) } as const
      const value = await askValue(frame, name)
      if (value === undefined || value === null) continue
      const member = PYTHON in plugin ? VALUES[name].python : name
      declared.push({ plugin: plugin.name, value, member })
    }
    return declared
  }

  #asked(plugins: readonly AnyPlugin[], hook: HookName): readonly AskedFeature[] {
    const asked = plugins.filter((plugin) => hasHook(plugin, hook))
    if (asked.length === 0) return []
    const running = this.#runningOf()
    return asked.map((plugin) => ({
      name: plugin.name,
      ask: (...args) => this.#ask({ plugin, hook, running }, args),
    }))
  }

  async #ask(
    { plugin, hook, running }: { plugin: AnyPlugin; hook: HookName; running: Running },
    args: readonly unknown[],
  ): Promise<{ readonly [key: string]: unknown } | undefined> {
    const limits = limitsOf(this.#config)
    const { closing, mask } = running
    try {
      const answer = await withOwnSignal(closing, [running.signal], async (signal) => {
        const context = contextFor(plugin.name, { ...running, signal })
        const bound = bindHook({ plugin, phase: 'tools', limits, signal, context }, hook)
        // Each plugin gets values of its own, which it cannot use to change those of others.
        return bound?.(...structuredClone(args))
      })
      if (answer === undefined || answer === null) return undefined
      if (isObject(answer)) return answer
      throw answerInvalid(plugin.name, hook)
    } catch (error) {
      const told = maskedError(toHostError(error), mask)
      // Only the model is told of it, and what the gate would have said is not known.
      if (!running.signal.aborted && !closing.signal.aborted)
        running.contextOf(plugin.name, 'tools').log({ level: 'warn', message: told.message, hook })
      throw told
    }
  }
}

function answerInvalid(plugin: string, hook: HookName): HostError {
  const message = `The hook "${hook}" of the feature "${plugin}" answered neither an object nor nothing.`
  return new HostError('HOOK_ANSWER_INVALID', message, { plugin, hook, phase: 'tools' })
}
