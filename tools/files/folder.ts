import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { namesOf } from './paths.ts'
import { Problem, problemWith } from './problem.ts'

// Not available on Windows; 0 has no effect.
const NOFOLLOW = constants.O_NOFOLLOW ?? 0
/** Non-blocking, since opening a named pipe or a device could otherwise wait for ever. */
const NONBLOCK = constants.O_NONBLOCK ?? 0
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)

/** The folder in which Linux lists open files. A path through it works like `openat`. */
const HANDLES = '/proc/self/fd'
const HAS_HANDLES = process.platform === 'linux' && existsSync(HANDLES)

/** An open folder below the root, as a call sees it. */
export interface OpenFolder {
  /** The path of a name in the folder. */
  at(name: string): string
  /** The path of the folder itself. */
  readonly path: string
}

/*
 * Guarantees if another program renames files, or replaces folders by links, at the same time:
 * - Linux: each step of a path is opened through the handle of the previous step, and no step may be a link. The file
 *   that is read or written is below the root in any case.
 * - macOS, Windows, Linux without /proc: links in the path are refused, and the folder's real path is compared before
 *   and after the work. A link that exists at one of these moments is refused; a link that exists only between them is
 *   not noticed.
 * A hard link is treated like any other file: it is read, and a write replaces it with a new file.
 */

/**
 * Opens a folder below the root, runs `work` in it, and closes it.
 * @param create creates missing folders
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

/** The implementation for systems without paths through handles. */
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
  return new Problem(
    `"${names.join('/')}" was moved or replaced during the call; list the folder again.`,
  )
}

function folderAt(path: string): OpenFolder {
  return { path, at: (name) => join(path, name) }
}

function ignoreExisting(error: unknown): void {
  if ((error as { readonly code?: unknown }).code !== 'EEXIST') throw error
}

/** Splits a path from the model into folder and name. @throws {Problem} if the path is the root */
export function splitPath(path: string): { folder: readonly string[]; name: string } {
  const names = namesOf(path)
  const name = names.at(-1)
  if (name === undefined) throw new Problem('Give the path of a file, such as "notes.txt".')
  return { folder: names.slice(0, -1), name }
}

/**
 * Opens a regular file for reading. The checks use the open handle, since the name may come to mean another file.
 * @throws {Problem}
 */
export async function openFile(
  folder: OpenFolder,
  name: string,
  path: string,
): Promise<{ file: FileHandle; stats: Stats }> {
  let file: FileHandle | undefined
  try {
    // Without O_NOFOLLOW, opening would follow a link, so the type is checked before.
    if (NOFOLLOW === 0 && (await lstat(folder.at(name))).isSymbolicLink())
      throw Object.assign(new Error(), { code: 'ELOOP' })
    file = await open(folder.at(name), constants.O_RDONLY | NOFOLLOW | NONBLOCK)
    const stats = await file.stat()
    if (stats.isDirectory()) throw new Problem(`"${path}" is a folder; list it with "list_files".`)
    if (!stats.isFile())
      throw new Problem(`"${path}" is not a regular file, so it cannot be opened.`)
    return { file, stats }
  } catch (error) {
    await file?.close()
    throw problemWith(path, error)
  }
}
