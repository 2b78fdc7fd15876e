import { type Config, isObject, type ToolHookRecord } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf, toHostError } from '@braidwork/plugin/internal'
import { bindHook, hasHook } from '../hooks/index.ts'
import { maskedError } from './masked-error.ts'
import { contextFor, type Running } from './tool-execution.ts'

/** The hooks by which features see and change the tool calls of a run. */
export type ToolCallHook = ToolHookRecord['hook']

/** A feature with one of these hooks. */
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

interface Featured {
  readonly config: Config
  readonly plugins: { readonly features: readonly AnyPlugin[] }
}

/** The features of a config that have a hook, in their order. Calls `runningOf` only if there are any. */
export function featuresWith(
  hook: ToolCallHook,
  { config, plugins }: Featured,
  runningOf: () => Running,
): readonly AskedFeature[] {
  const asked = plugins.features.filter((plugin) => hasHook(plugin, hook))
  if (asked.length === 0) return []
  const running = runningOf()
  const { signal } = running
  const limits = limitsOf(config)
  return asked.map((plugin) => ({
    name: plugin.name,
    ask: async (...args) => {
      const context = contextFor(plugin.name, running)
      const bound = bindHook({ plugin, phase: 'tools', limits, signal, context }, hook)
      try {
        // Each plugin gets values of its own, which it cannot use to change those of others.
        const answer = await bound?.(...structuredClone(args))
        if (answer === undefined || answer === null) return undefined
        if (isObject(answer)) return answer
        throw new TypeError(`the hook "${hook}" answered neither an object nor nothing`)
      } catch (error) {
        throw maskedError(toHostError(error), running.mask)
      }
    },
  }))
}
