import { lstat } from 'node:fs/promises'
import { namesOf } from './paths.ts'
import type { FilesScope } from './settings.ts'
import { type FolderEntry, walk } from './walk.ts'

export interface ListInput {
  readonly path?: string
  readonly recursive?: boolean
}

/** Lists the content of a folder, in order of path. @throws {Problem} */
export async function listFiles(
  input: ListInput,
  state: FilesScope,
  signal: AbortSignal,
): Promise<object> {
  const entries: object[] = []
  const unreadable: string[] = []
  const isWhole = await walk({
    root: state.root,
    names: namesOf(input.path ?? ''),
    isDeep: input.recursive === true,
    signal,
    visit: async (entry) => {
      if (entries.length >= state.max_entries) return false
      entries.push(await describe(entry))
      return true
    },
    skip: (path) => unreadable.push(path),
  })
  const sorted = (entries as { path: string }[]).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return {
    entries: sorted,
    ...(unreadable.length > 0 ? { unreadable } : {}),
    ...(isWhole
      ? {}
      : { note: `Only the first ${state.max_entries} entries are shown; list a subfolder.` }),
  }
}

async function describe({ path, name, type, folder }: FolderEntry): Promise<object> {
  if (type !== 'file') return { path, type }
  const stats = await lstat(folder.at(name)).catch(() => undefined)
  return stats ? { path, type, bytes: stats.size } : { path, type }
}
