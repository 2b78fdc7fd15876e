import type { Host } from '@braidwork/core'
import {
  isOn,
  type Mark,
  marksOf,
  pointerPath,
  readableSettingsSchema,
} from '@braidwork/core/internal'
import type { Diagnostic } from '@braidwork/plugin'

/**
 * The settings of loaded plugins that are secret or decide where secrets are sent, with their paths in a config. Only the
 * config of the server may have them: a caller who chooses an address would get the keys that are sent there.
 */
export function guardedSettings(host: Host): readonly Mark[] {
  return host.plugins.flatMap((plugin) =>
    marksOf(readableSettingsSchema(plugin) ?? {})
      .filter(({ isSecret, isDestination }) => isSecret || isDestination)
      .map((mark) => ({ ...mark, path: ['settings', plugin.name, ...mark.path] })),
  )
}

/** Whether a path leads to, through, or above a marked place. */
export function isAt(path: readonly string[], marked: Mark['path']): boolean {
  return marked.every((step, index) => {
    const key = path[index]
    return key === undefined || isOn(step, key)
  })
}

/** Says why nobody but the operator sets a guarded setting. */
export function whyGuarded(pointer: string, { isSecret }: Mark): string {
  const why = isSecret ? 'is a secret' : 'decides where secrets are sent'
  return `"${pointer}" ${why} and can be changed only on the server.`
}

interface Listed {
  readonly settable?: readonly string[] | undefined
  readonly storable?: readonly string[] | undefined
}

/** A warning for each setting on the lists of a server that is refused nevertheless. Loads all plugins. */
export async function settableFaults(host: Host, listed: Listed): Promise<readonly Diagnostic[]> {
  const { settable = [], storable = [] } = listed
  if (settable.length + storable.length === 0) return []
  await host.load()
  const guarded = guardedSettings(host)
  return Object.entries({ settable, storable }).flatMap(([key, pointers]) =>
    pointers.flatMap((pointer, index): readonly Diagnostic[] => {
      const path = pointerPath(pointer)
      const mark = guarded.find((one) => path.length >= one.path.length && isAt(path, one.path))
      if (!mark) return []
      const message = `"server.${key}" does nothing here: ${whyGuarded(pointer, mark)}`
      return [
        { code: 'CONFIG_INVALID', level: 'warning', message, pointer: `/server/${key}/${index}` },
      ]
    }),
  )
}
