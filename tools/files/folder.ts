import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { namesOf } from './paths.ts'
import { Problem, problemWith } from './problem.ts'

// Windows has none of these; 0 changes nothing.
const NOFOLLOW = constants.O_NOFOLLOW ?? 0
/** Opening a pipe or a device must not wait for anybody. */
const NONBLOCK = constants.O_NONBLOCK ?? 0
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)

/** Where Linux shows open files: a path through a handle, as `openat` would take it. */
const HANDLES = '/proc/self/fd'
const HAS_HANDLES = process.platform === 'linux' && existsSync(HANDLES)

/** What a call has to do with a folder of the root that is held open. */
export interface OpenFolder {
  /** The path of a name in it. */
  at(name: string): string
  /** Its own path. */
  readonly path: string
}

/*
 * What holds, while others rename files and swap folders for links:
 * - Linux: each step of a path is opened through the handle of the one before, and none of them may be a link. What is
 *   read or written is below the root, whatever happens to names meanwhile.
 * - macOS, Windows, Linux without /proc: links are refused on the way there, and the folder's real path is compared
 *   before and after the work. A link that is there at one of these moments is refused; one that comes and goes
 *   between them is not seen.
 * A hard link is a file of the folder like any other: it is read, and a write puts a new file in its place.
 */

/**
 * Opens a folder below the root, does something in it, and closes it.
 * @param create makes the folders that are missing
 * @throws {Problem}
 */
export async function inFolder<T>(
  root: string,
  names: readonly string[],
  work: (folder: OpenFolder) => Promise<T>,
  create = false,
): Promise<T> {
  const folders = HAS_HANDLES ? inHandles : inPaths
  return folders(await openRoot(root), { root, names, create }, work)
}

interface Way {
  readonly root: string
  readonly names: readonly string[]
  readonly create: boolean
}

async function openRoot(root: string): Promise<FileHandle | undefined> {
  try {
    if (!HAS_HANDLES) return void (await realpath(root))
    return await open(root, FOLDER)
  } catch {
    throw new Problem('The folder of tool "files" cannot be opened; check "settings.files.root".')
  }
}

async function inHandles<T>(
  opened: FileHandle | undefined,
  { names, create }: Way,
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  let handle = opened as FileHandle
  try {
    for (const [at, name] of names.entries()) {
      const path = join(HANDLES, String(handle.fd), name)
      const next = await step(path, create).catch((error: unknown) => {
        throw problemWith(names.slice(0, at + 1).join('/'), error)
      })
      await handle.close()
      handle = next
    }
    return await work(folderAt(join(HANDLES, String(handle.fd))))
  } finally {
    await handle.close()
  }
}

async function step(path: string, create: boolean): Promise<FileHandle> {
  if (create) await mkdir(path).catch(ignoreExisting)
  return open(path, FOLDER | NOFOLLOW)
}

/** The way of systems without paths through handles. */
export async function inPaths<T>(
  _opened: FileHandle | undefined,
  { root, names, create }: Way,
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  const base = await realpath(root)
  let path = base
  for (const [at, name] of names.entries()) {
    path = join(path, name)
    try {
      if (create) await mkdir(path).catch(ignoreExisting)
      if (!(await lstat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    } catch (error) {
      throw problemWith(names.slice(0, at + 1).join('/'), error)
    }
  }
  const real = await realpath(path)
  if (real !== base && !real.startsWith(base.endsWith(sep) ? base : `${base}${sep}`))
    throw moved(names)
  const result = await work(folderAt(real))
  if ((await realpath(path).catch(() => '')) !== real) throw moved(names)
  return result
}

function moved(names: readonly string[]): Problem {
  return new Problem(`"${names.join('/')}" was moved or replaced meanwhile; list the folder again.`)
}

function folderAt(path: string): OpenFolder {
  return { path, at: (name) => join(path, name) }
}

function ignoreExisting(error: unknown): void {
  if ((error as { readonly code?: unknown }).code !== 'EEXIST') throw error
}

/** A path of the model as the folder that it is in, and its name there. @throws {Problem} where it is the root */
export function splitPath(path: string): { folder: readonly string[]; name: string } {
  const names = namesOf(path)
  const name = names.at(-1)
  if (name === undefined) throw new Problem('The path of a file is missing, such as "notes.txt".')
  return { folder: names.slice(0, -1), name }
}

/**
 * Opens a regular file for reading: what was checked is the handle, and not a name that may change.
 * @throws {Problem}
 */
export async function openFile(
  folder: OpenFolder,
  name: string,
  path: string,
): Promise<{ file: FileHandle; stats: Stats }> {
  let file: FileHandle | undefined
  try {
    // Without O_NOFOLLOW a link would be followed; where there is none, what is there is looked at first.
    if (NOFOLLOW === 0 && (await lstat(folder.at(name))).isSymbolicLink())
      throw Object.assign(new Error(), { code: 'ELOOP' })
    file = await open(folder.at(name), constants.O_RDONLY | NOFOLLOW | NONBLOCK)
    const stats = await file.stat()
    if (stats.isDirectory()) throw new Problem(`"${path}" is a folder; "list_files" shows it.`)
    if (!stats.isFile()) throw new Problem(`"${path}" is no regular file, and is not opened.`)
    return { file, stats }
  } catch (error) {
    await file?.close()
    throw problemWith(path, error)
  }
}
