import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { BoundHook, HookFrame } from './call-hook.ts'

/** What runs for each chunk: the provider's step and its extensions', then the partials' way to core. */
export interface ChunkHooks {
  readonly steps: readonly ChunkHook<'processChunk'>[]
  readonly toCore: readonly ChunkHook<'fromNative'>[]
  /** Whether something else turns partials into core before `toCore`. */
  readonly isApart: boolean
  /** Tells of chunks that come one after the other; there only where nothing else sees them on the way. */
  readonly announce?: (chunks: readonly unknown[]) => void
}

export interface ChunkHook<H extends 'processChunk' | 'fromNative'> {
  readonly plugin: AnyPlugin
  readonly frame: HookFrame
  readonly run: BoundHook<H>
}

/** The member by which a plugin that runs elsewhere makes one call of neighbours' hooks. */
export const JOIN: unique symbol = Symbol.for('braidwork.join')

/** The hooks with neighbours joined, where some of their plugins can be. */
export function joinHooks(hooks: ChunkHooks): ChunkHooks {
  const joining = [...hooks.steps, ...hooks.toCore].find(({ plugin }) => JOIN in plugin)
  return joining ? (joining.plugin as unknown as JoiningPlugin)[JOIN](hooks) : hooks
}

type JoiningPlugin = { readonly [JOIN]: (hooks: ChunkHooks) => ChunkHooks }
