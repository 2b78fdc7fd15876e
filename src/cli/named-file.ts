import { type FileHandle, open } from 'node:fs/promises'
import { codeOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** The message for a file that cannot be read (`r`) or written (`w`), by the system's error code. */
const FILE_FAULTS: { readonly [code: string]: Readonly<Record<'r' | 'w', string>> } = {
  ENOENT: { r: 'The file does not exist', w: 'The folder does not exist; create it first' },
  ENOTDIR: { r: 'The file does not exist', w: 'The folder is a file; name another folder' },
  EISDIR: { r: 'This is a folder; name a file in it', w: 'This is a folder; name a file in it' },
  EACCES: { r: 'You may not read this file', w: 'You may not write this file' },
  EROFS: { r: 'You may not read this file', w: 'The file system can only be read' },
  ENOSPC: { r: 'The disk is full', w: 'The disk is full' },
  EEXIST: { r: 'The file exists', w: 'The file exists; name another one' },
}

/**
 * Opens a file that a person named, to read it, to write it anew (`w`) or to add to it (`a`). Only the user may read a
 * file that is created.
 * @throws {HostError} OPTION_INVALID
 */
export async function openFile(file: string, mode: 'r' | 'w' | 'a'): Promise<FileHandle> {
  try {
    const handle = await open(file, mode, 0o600)
    if (!(await handle.stat()).isDirectory()) return handle
    await handle.close()
    throw Object.assign(new Error('It is a folder'), { code: 'EISDIR' })
  } catch (cause) {
    throw fileFault(file, mode === 'r' ? 'r' : 'w', cause)
  }
}

/** The error for a file that could not be read or written, with the reason in words. */
export function fileFault(file: string, mode: 'r' | 'w', cause: unknown): HostError {
  const reason = FILE_FAULTS[codeOf(cause)]?.[mode] ?? messageOf(cause)
  const verb = mode === 'r' ? 'read' : 'written'
  return new HostError('OPTION_INVALID', `"${file}" cannot be ${verb}. ${reason}.`, { cause })
}
