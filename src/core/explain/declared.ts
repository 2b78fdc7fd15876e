import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook, readTexts } from '../hooks/index.ts'
import { isOffByDefault } from '../resolve/index.ts'

type TagLists = readonly ('requiredTags' | 'forbiddenTags')[]

/** The tags that a plugin requires or forbids. */
export function tagsIn(plugin: AnyPlugin, lists: TagLists): readonly string[] {
  return read(() => lists.flatMap((name) => readTexts(plugin, name) ?? []), [])
}

export function isOff(plugin: AnyPlugin): boolean {
  return read(() => isOffByDefault(plugin), false)
}

/** Whether a plugin other than a provider changes the list of models. */
export function changesModels(plugin: AnyPlugin): boolean {
  return read(() => /extension|feature/.test(plugin.kind) && hasHook(plugin, 'getModels'), false)
}

/** Reads a member of a plugin. A plugin that cannot be read takes no part in any resolution. */
function read<T>(member: () => T, otherwise: T): T {
  try {
    return member()
  } catch {
    return otherwise
  }
}
