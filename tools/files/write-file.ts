import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { inFolder, type OpenFolder, openFile, splitPath } from './folder.ts'
import { Problem, problemWith } from './problem.ts'
import { assertNotDeciding, assertWritable } from './protection.ts'
import { readWhole } from './read-file.ts'
import type { FilesScope } from './settings.ts'
import { splitBy } from './split-by.ts'

export interface WriteInput {
  readonly path: string
  readonly content: string
}

export interface EditInput {
  readonly path: string
  readonly old_text: string
  readonly new_text: string
  readonly replace_all?: boolean
}

/** Makes a file, or puts another in its place. @throws {Problem} */
export async function writeFile(
  input: WriteInput,
  state: FilesScope,
  signal: AbortSignal,
): Promise<object> {
  const { path, content } = input
  const { folder, name } = splitPath(path)
  const names = [...folder, name]
  assertWritable(names, state)
  const bytes = checkedSize(path, content, state)
  const write = async (opened: OpenFolder) => {
    await assertNotDeciding(opened, names, state)
    const before = await lstat(opened.at(name)).catch(() => undefined)
    if (before && !before.isFile())
      throw new Problem(`"${path}" exists and is no regular file; give another name.`)
    signal.throwIfAborted()
    await replace(opened, name, content, before?.mode)
    return { path, bytes, created: before === undefined }
  }
  return inFolder(state.root, folder, write, true).catch((error: unknown) => {
    throw problemWith(path, error)
  })
}

/** Replaces a text of a file by another, exactly. @throws {Problem} */
export async function editFile(
  input: EditInput,
  state: FilesScope,
  signal: AbortSignal,
): Promise<object> {
  const { path } = input
  const { folder, name } = splitPath(path)
  const names = [...folder, name]
  assertWritable(names, state)
  return inFolder(state.root, folder, async (opened) => {
    await assertNotDeciding(opened, names, state)
    const { file, stats } = await openFile(opened, name, path)
    try {
      const [content, count] = edited(await readWhole(file, path, state.max_bytes, signal), input)
      const bytes = checkedSize(path, content, state)
      signal.throwIfAborted()
      await assertSame(opened.at(name), path, stats)
      await replace(opened, name, content, stats.mode)
      return { path, bytes, replaced: count }
    } catch (error) {
      throw problemWith(path, error)
    } finally {
      await file.close()
    }
  })
}

function edited(text: string, input: EditInput): readonly [content: string, count: number] {
  const { path, old_text: wanted, new_text: replacement, replace_all: isAll } = input
  const pieces = splitBy(text, wanted)
  const count = pieces.length - 1
  if (count === 0)
    throw new Problem(
      `"${path}" has no such text; read it again, and give "old_text" exactly, white space too.`,
    )
  if (count > 1 && !isAll)
    throw new Problem(
      `"${path}" has this text ${count} times; give more of what is around it, or "replace_all".`,
    )
  return [pieces.join(replacement), count]
}

/** What was read is what is replaced: somebody else may have written meanwhile. */
async function assertSame(at: string, path: string, { ino, size, mtimeMs }: Stats): Promise<void> {
  const now = await lstat(at).catch(() => undefined)
  if (now?.ino !== ino || now.size !== size || now.mtimeMs !== mtimeMs)
    throw new Problem(`"${path}" was changed meanwhile; read it again.`)
}

/** A new file under a name of its own, then in the old one's place: never half a file, and through no link. */
async function replace(
  folder: OpenFolder,
  name: string,
  content: string,
  mode = 0o644,
): Promise<void> {
  const draft = folder.at(`.${randomUUID()}.draft`)
  try {
    const file = await open(draft, 'wx', mode & 0o777)
    try {
      await file.writeFile(content, 'utf8')
    } finally {
      await file.close()
    }
    await rename(draft, folder.at(name))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function checkedSize(path: string, content: string, { max_bytes: most }: FilesScope): number {
  const bytes = Buffer.byteLength(content)
  if (bytes > most)
    throw new Problem(`"${path}" would have ${bytes} bytes; at most ${most} are written.`)
  return bytes
}
