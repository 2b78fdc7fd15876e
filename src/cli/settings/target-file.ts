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

/** The config file that a form writes. */
export interface TargetFile {
  readonly path: string
  /** As it was read; none where there is no file yet. */
  readonly text?: string
  /** What it says, without what it stands upon. */
  readonly own: ConfigLayer
  /** A new file in a folder whose config counts from then on. */
  readonly trusts?: boolean
}

const EMPTY = '{}\n'
/** Of a new file: it may have secrets. */
const OWNERS_ALONE = 0o600

/**
 * Writes what a form came to, keeping the file's comments, its mode, and the link that it may be; trust in
 * its folder goes with it.
 * @throws {HostError} CONFIG_INVALID where it cannot be written, or was changed since it was read
 */
export function writeTarget(target: TargetFile, edited: ConfigLayer): void {
  const { path, text, own } = target
  const isThere = existsSync(path)
  if (isThere ? readFileSync(path, 'utf8') !== text : text !== undefined) {
    throw invalid(path, 'it was changed by somebody else in the meantime; nothing was written')
  }
  const write = (): void => replaceWhole(path, editText(text ?? EMPTY, own, edited))
  keepingTrust(path, write, !isThere && target.trusts === true)
}

/** Beside the file first, then in its place, so that it is never half there. */
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
  return new HostError('CONFIG_INVALID', `The config file "${path}" stays as it is: ${reason}.`)
}
