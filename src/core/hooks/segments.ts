import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { BoundHook, HookFrame } from './call-hook.ts'

/** The hooks that run for each chunk: `processChunk` of provider and extensions, then `fromNative` for the partials. */
export interface ChunkHooks {
  readonly steps: readonly ChunkHook<'processChunk'>[]
  readonly toCore: readonly ChunkHook<'fromNative'>[]
  /** Whether the provider converts the partials to core format in a separate step before `toCore`. */
  readonly isApart: boolean
  /**
   * Receives the list of chunks that the provider yielded together, before the hooks run on the first of them. One
   * call to another process can then process the whole list. Absent unless that process runs all of these hooks.
   */
  readonly announce?: (chunks: readonly unknown[]) => void
}

export interface ChunkHook<H extends 'processChunk' | 'fromNative'> {
  readonly plugin: AnyPlugin
  readonly frame: HookFrame
  readonly run: BoundHook<H>
}

/** Key of the member with which a plugin in another process joins hooks of neighboring plugins into one call. */
export const JOIN: unique symbol = Symbol.for('braidwork.join')

/** Joins neighboring hooks, if some of their plugins can be joined. */
export function joinHooks(hooks: ChunkHooks): ChunkHooks {
  const joining = [...hooks.steps, ...hooks.toCore].find(({ plugin }) => JOIN in plugin)
  return joining ? (joining.plugin as unknown as JoiningPlugin)[JOIN](hooks) : hooks
}

type JoiningPlugin = { readonly [JOIN]: (hooks: ChunkHooks) => ChunkHooks }
