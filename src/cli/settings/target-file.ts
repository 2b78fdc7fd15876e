import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { ConfigLayer } from '@braidwork/core'
import { keepingTrust } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { editText } from './edit-text.ts'

/** The config file that a form writes to. */
export interface TargetFile {
  readonly path: string
  /** The text when it was read; `undefined` if the file does not exist yet. */
  readonly text?: string
  /** The file's own content, without the layers below it. */
  readonly own: ConfigLayer
  /** True for a new file whose folder becomes trusted. */
  readonly trusts?: boolean
}

const EMPTY = '{}\n'
/** The mode of a new file: only its owner may read it, since it may contain secrets. */
const OWNERS_ALONE = 0o600

/**
 * Writes the edited settings. The file keeps its comments, its mode and, if it is a symbolic link, the link.
 * If the folder was trusted, the new content is trusted too.
 * @throws {HostError} CONFIG_INVALID if the file cannot be written, or was changed since it was read
 */
export function writeTarget(target: TargetFile, edited: ConfigLayer): void {
  const { path, text, own } = target
  const isNew = !existsSync(path)
  const write = (): void => replaceFile(path, text, editText(text ?? EMPTY, own, edited))
  keepingTrust(path, write, isNew && target.trusts === true)
}

/**
 * Writes a file that was read before. A byte order mark in front of it stays.
 * @param before the text when it was read; undefined if the file did not exist yet
 * @throws {HostError} CONFIG_INVALID if it cannot be written, or was changed since it was read
 */
export function replaceFile(path: string, before: string | undefined, text: string): void {
  const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  if ((present && withoutMark(present)) !== (before && withoutMark(before))) {
    throw invalid(path, 'another program changed it in the meantime; nothing was written')
  }
  replaceWhole(path, present?.startsWith(MARK) ? `${MARK}${withoutMark(text)}` : text)
}

const MARK = '\uFEFF'

/** A text without the byte order mark that some editors put in front; a config that was read has none. */
function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text
}

/** Writes a temporary file first and renames it, so that the file is never incomplete. */
function replaceWhole(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const isThere = existsSync(path)
    const real = isThere ? realpathSync(path) : path
    const mode = isThere ? statSync(real).mode & 0o7777 : OWNERS_ALONE
    const beside = `${real}.${process.pid}`
    try {
      writeFileSync(beside, text, { mode: OWNERS_ALONE, flag: 'wx' })
      chmodSync(beside, mode)
      renameSync(beside, real)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
  } catch (error) {
    throw invalid(path, `it cannot be written: ${messageOf(error)}`)
  }
}

function invalid(path: string, reason: string): HostError {
  return new HostError('CONFIG_INVALID', `The file "${path}" was not changed: ${reason}.`)
}
