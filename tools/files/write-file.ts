import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { inFolder, type OpenFolder, openFile, splitPath } from './folder.ts'
import { Problem, problemWith } from './problem.ts'
import { assertNotDeciding, assertNotDecidingAt, assertWritable } from './protection.ts'
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

/** Creates or replaces a file. @throws {Problem} */
export async function writeFile(
  input: WriteInput,
  state: FilesScope,
  signal: AbortSignal,
): Promise<object> {
  const { path, content } = input
  const { folder, name } = splitPath(path)
  const names = [...folder, name]
  assertWritable(names, state)
  await assertNotDecidingAt(state.root, names, state)
  const bytes = checkedSize(path, content, state)
  const write = async (opened: OpenFolder) => {
    await assertNotDeciding(opened, names, state)
    const before = await lstat(opened.at(name)).catch(() => undefined)
    if (before && !before.isFile())
      throw new Problem(`"${path}" exists and is not a regular file; use another name.`)
    signal.throwIfAborted()
    await replace(opened, name, content, before?.mode)
    return { path, bytes, created: before === undefined }
  }
  return inFolder(state.root, folder, write, true).catch((error: unknown) => {
    throw problemWith(path, error)
  })
}

/** Replaces an exact text in a file. @throws {Problem} */
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
      `"${path}" does not contain "old_text". Read the file again, and give the exact text, including white space.`,
    )
  if (count > 1 && !isAll)
    throw new Problem(
      `"${path}" contains this text ${count} times. Give more of the surrounding text, or set "replace_all".`,
    )
  return [pieces.join(replacement), count]
}

/** Checks that the file is still the one that was read, since another program may have changed it. */
async function assertSame(at: string, path: string, { ino, size, mtimeMs }: Stats): Promise<void> {
  const now = await lstat(at).catch(() => undefined)
  if (now?.ino !== ino || now.size !== size || now.mtimeMs !== mtimeMs)
    throw new Problem(`"${path}" was changed during the call; read it again.`)
}

/** Writes a temporary file and renames it, so that a file is never half-written and no link is followed. */
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
  if (bytes > most) throw new Problem(`"${path}" would have ${bytes} bytes; the limit is ${most}.`)
  return bytes
}
