import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { inFolder, type OpenFolder } from './folder.ts'
import { problemWith } from './problem.ts'

/** An entry of a folder, with its path from the root. */
export interface FolderEntry {
  readonly path: string
  readonly name: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  /** The folder that contains it. It stays open until the next entry is requested. */
  readonly folder: OpenFolder
}

export interface Walk {
  readonly root: string
  readonly names: readonly string[]
  readonly isDeep: boolean
  readonly signal: AbortSignal
  /** Called for each entry. Returns false to end the walk. */
  visit(entry: FolderEntry): Promise<boolean>
  /** Called for a subfolder that cannot be read. */
  skip(path: string): void
}

const DEEPEST = 32

/** Visits the entries of a folder one after the other. Links are reported but never followed. @throws {Problem} */
export async function walk(way: Walk, depth = 0): Promise<boolean> {
  const { root, names, isDeep, signal } = way
  const below: string[] = []
  const goesOn = await inFolder(root, names, async (folder) => {
    for await (const entry of entriesOf(folder, names.join('/') || '.')) {
      signal.throwIfAborted()
      const type = typeOf(entry)
      if (type === 'folder') below.push(entry.name)
      const path = [...names, entry.name].join('/')
      if (!(await way.visit({ path, name: entry.name, type, folder }))) return false
    }
    return true
  })
  if (!goesOn || !isDeep) return goesOn
  for (const name of below.toSorted()) {
    const next = { ...way, names: [...names, name] }
    if (depth >= DEEPEST) way.skip(next.names.join('/'))
    else if (!(await walkBelow(next, depth + 1))) return false
  }
  return true
}

async function walkBelow(way: Walk, depth: number): Promise<boolean> {
  try {
    return await walk(way, depth)
  } catch {
    way.signal.throwIfAborted()
    // The folder was removed, made inaccessible or replaced by a link meanwhile. The walk continues without it.
    way.skip(way.names.join('/'))
    return true
  }
}

/** Yields entries one by one, since a folder with millions of entries does not fit into memory. */
async function* entriesOf(folder: OpenFolder, path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder.path)
  } catch (error) {
    throw problemWith(path, error)
  }
}

function typeOf(entry: Dirent): FolderEntry['type'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}
