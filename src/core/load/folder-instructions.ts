import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { readRegularStart } from '../regular-file.ts'
import { isFile } from './locate.ts'
import { pinsOf, realPathOf } from './trust.ts'
import { configsIn, isTrusted } from './trusted-folder.ts'

/** A file with instructions for the agents that work in a folder. */
export interface FolderInstructions {
  /** The path of the file below the trusted folder, with `/`. */
  readonly path: string
  readonly text: string
  /** Whether the text is only the beginning of the file; it is empty if there was no room for any. */
  readonly isCut?: boolean
}

/** The name of the file in each folder. https://agents.md */
const NAME = 'AGENTS.md'
/** The most bytes of all files together. The files nearest to the working directory come first. */
const MOST_BYTES = 32 * 1024

/**
 * Reads the instructions for a working directory: `AGENTS.md` in it and in the folders above it, up to the highest one
 * that a person has trusted. The outermost comes first. A folder that is in no trusted folder has none, nor has a project
 * that is not trusted itself; a link out of the trusted folder is not followed. CT-17
 */
export function folderInstructions(cwd: string): readonly FolderInstructions[] {
  const { root, folders } = trustedFolders(realPathOf(cwd))
  const found: FolderInstructions[] = []
  let left = MOST_BYTES
  for (const folder of folders) {
    const path = join(folder, NAME)
    if (!isFile(path) || !isWithin(realPathOf(path), root)) continue
    const { text, isCut } = startOf(path, left)
    left -= Buffer.byteLength(text)
    if (text.trim() === '' && !isCut) continue
    const shown = relative(root, path).replaceAll(sep, '/')
    found.unshift({ path: shown, text, ...(isCut ? { isCut } : {}) })
  }
  return found
}

/** The highest trusted folder above a folder, and the folders from the inside to it. */
function trustedFolders(cwd: string): { readonly root: string; readonly folders: string[] } {
  let trusted: { root: string; folders: string[] } = { root: cwd, folders: [] }
  let folders: string[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder)
    if (isTrusted(folder)) trusted = { root: folder, folders: [...folders] }
    // A project in a trusted folder is not trusted with it, nor a folder whose trust was withdrawn.
    else if (isProject(folder) || pinsOf(folder) === null) folders = []
    if (folder === dirname(folder)) return trusted
  }
}

/** Whether a folder is the root of a project: a repository, or one with a config of its own. */
function isProject(folder: string): boolean {
  return existsSync(join(folder, '.git')) || configsIn(folder).length > 0
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

function startOf(path: string, most: number) {
  try {
    return readRegularStart(path, most)
  } catch {
    // A file that cannot be read gives no instructions, like one that is not there.
    return { text: '', isCut: false }
  }
}
