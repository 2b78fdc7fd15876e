import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isFolder } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { NewFile } from './files.ts'

/** @throws {HostError} FOLDER_UNUSABLE if there is something at the path, other than an empty folder */
export function assertFree(folder: string): void {
  if (!existsSync(folder)) return
  if (!isFolder(folder)) throw unusable(folder, 'it is not a folder')
  if (readdirSync(folder).length > 0) throw unusable(folder, 'it is not empty')
}

/**
 * Writes files into a new folder, or into an empty one. They are written to a folder beside it, which is then renamed:
 * there are all files or none.
 * @throws {HostError} FOLDER_UNUSABLE
 */
export function writeFolder(folder: string, files: readonly NewFile[]): void {
  assertFree(folder)
  let beside: string | undefined
  try {
    beside = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`))
    const made = join(beside, 'package')
    for (const { path, text } of files) {
      mkdirSync(dirname(join(made, path)), { recursive: true })
      writeFileSync(join(made, path), text)
    }
    if (existsSync(folder)) rmdirSync(folder)
    renameSync(made, folder)
  } catch (error) {
    throw unusable(folder, messageOf(error), error)
  } finally {
    if (beside !== undefined) rmSync(beside, { recursive: true, force: true })
  }
}

function unusable(folder: string, reason: string, cause?: unknown): HostError {
  return new HostError(
    'FOLDER_UNUSABLE',
    `The plugin cannot be written to "${folder}": ${reason}. Choose another name, or run the command in another folder.`,
    { cause },
  )
}
