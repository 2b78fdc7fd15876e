import type { HookName } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { BEGUN, hasHook, isPromise } from '../hooks/index.ts'
import type { EnabledPlugins } from '../resolve/index.ts'
import { changesBetween } from './changes.ts'
import { cutChanges, type ToldChanges } from './cut.ts'
import { shownValue } from './shown-value.ts'

/** What one hook changed before the model is asked. */
export interface DryRunStep extends ToldChanges {
  readonly plugin: string
  readonly hook: WatchedHook
  /** The value that the pointers of the changes go into. */
  readonly of: 'state' | 'messages' | 'native'
}

/** The hooks that make the request, in the order in which they run. */
export type WatchedHook = (typeof WATCHED)[number]

const WATCHED = [
  'init',
  'editMessages',
  'toNative',
  'initializeRequest',
] as const satisfies readonly HookName[]

/** The most characters of changes that one step tells. */
const MOST = 64 << 10

type Value = Pick<DryRunStep, 'of'> & { readonly value: unknown }
type HookFunction = (...args: unknown[]) => unknown

/**
 * Watches the plugins of one request, and notes what each hook changes. The chain does not know: it is given plugins
 * whose hooks note their arguments and their answers.
 */
export class Watch {
  readonly steps: DryRunStep[] = []
  readonly #mask: (text: string) => string

  constructor(mask: (text: string) => string) {
    this.#mask = mask
  }

  /** A copy of a value as it may be shown. */
  shown(value: unknown): unknown {
    return shownValue(value, this.#mask)
  }

  over({ provider, extensions, features, tools }: EnabledPlugins): EnabledPlugins {
    const watched = (plugin: AnyPlugin) => this.#watched(plugin)
    return {
      provider: watched(provider),
      extensions: extensions.map(watched),
      features: features.map(watched),
      tools,
    }
  }

  /** A plugin with no hooks but the watched ones. */
  #watched(plugin: AnyPlugin): AnyPlugin {
    const hooks = WATCHED.filter((hook) => hasHook(plugin, hook))
    const watched = hooks.map((hook) => [hook, this.#hookOf(plugin, hook)] as const)
    return { kind: plugin.kind, name: plugin.name, ...Object.fromEntries(watched) }
  }

  #hookOf(plugin: AnyPlugin, hook: WatchedHook): HookFunction {
    const run = plugin[hook] as HookFunction
    return (...args) => {
      // Copied first, as a plugin may change its arguments although it must not.
      const before = this.#copied(argumentsOf(plugin, hook, args))
      const answer = Reflect.apply(run, plugin, args)
      const note = (settled: unknown) => {
        this.#note({ plugin: plugin.name, hook }, before, this.#copied(answersOf(hook, settled)))
        return settled
      }
      if (!isPromise(answer)) return note(answer)
      // The time limit of a Python hook counts from its beginning.
      const { [BEGUN]: begun } = answer as { readonly [BEGUN]?: () => number }
      return Object.assign(Promise.resolve(answer).then(note), begun ? { [BEGUN]: begun } : {})
    }
  }

  #copied(values: readonly Value[]): readonly Value[] {
    return values.map(({ of, value }) => ({ of, value: this.shown(value) }))
  }

  /** Notes a step for the first value, and for a second one if it has changed. */
  #note(
    about: Pick<DryRunStep, 'plugin' | 'hook'>,
    before: readonly Value[],
    after: readonly Value[],
  ): void {
    for (const [index, { of, value }] of after.entries()) {
      const known = before.find((one) => one.of === of)
      const changes = known ? changesBetween(known.value, value) : [{ path: '', after: value }]
      if (index > 0 && changes.length === 0) continue
      this.steps.push({ ...about, of, ...cutChanges(changes, MOST) })
    }
  }
}

/** The values that a hook is given to change. A provider begins the state and the native request. */
function argumentsOf(
  { kind }: AnyPlugin,
  hook: WatchedHook,
  [first, second]: readonly unknown[],
): readonly Value[] {
  if (hook === 'editMessages') return [{ of: 'messages', value: first }]
  if (hook === 'initializeRequest') return turnOf([first, second])
  if (kind === 'provider') return []
  return [{ of: hook === 'init' ? 'state' : 'native', value: second }]
}

function answersOf(hook: WatchedHook, answer: unknown): readonly Value[] {
  if (hook === 'initializeRequest') return turnOf(Array.isArray(answer) ? answer : [])
  if (hook === 'editMessages') return [{ of: 'messages', value: answer }]
  return [{ of: hook === 'init' ? 'state' : 'native', value: answer }]
}

function turnOf([native, state]: readonly unknown[]): readonly Value[] {
  return [
    { of: 'native', value: native },
    { of: 'state', value: state },
  ]
}
