import { type Config, isObject } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf } from '@braidwork/plugin/internal'
import { bindHook, hasHook } from '../hooks/index.ts'
import { contextFor, type Running } from './tool-execution.ts'

/** The hooks by which features see and change the tool calls of a run. */
export type RunHook = 'editToolCall' | 'toolGate' | 'editToolResult'

/** A feature with one of these hooks. */
export interface AskedFeature {
  readonly name: string
  /**
   * Asks the hook. The answer is an object, or undefined for nothing.
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
  hook: RunHook,
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
      const frame = { plugin, phase: 'tools', limits, signal, context } as const
      // Each plugin gets values of its own, which it cannot use to change those of others.
      const answer = await bindHook(frame, hook)?.(...structuredClone(args))
      if (answer === undefined || answer === null) return undefined
      if (isObject(answer)) return answer
      throw new TypeError(`the hook "${hook}" answered neither an object nor nothing`)
    },
  }))
}
