import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  currentPins,
  folderTrust,
  isFolder,
  type Pins,
  pin,
  pinsOf,
  revokeTrust,
} from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { visible } from './characters.ts'
import { EXIT } from './exit.ts'

export interface TrustOptions {
  readonly revoke?: boolean
  readonly update?: boolean
}

/** `braidwork trust [folder]`: trusts the present content of the folder's config and plugins. */
export function trustCommand(given: string | undefined, options: TrustOptions): number {
  const folder = resolve(given ?? '.')
  if (!isFolder(folder)) throw new HostError('CONFIG_INVALID', `There is no folder "${folder}".`)
  if (options.revoke) return revoked(folder)
  return options.update ? updated(folder) : trusted(folder)
}

function trusted(folder: string): number {
  const pins = currentPins(folder)
  if (Object.keys(pins).length === 0 && !existsSync(join(folder, 'package.json'))) {
    throw new HostError(
      'CONFIG_INVALID',
      `"${folder}" has no braidwork.json, braidwork.jsonc or package.json: nothing to trust.`,
    )
  }
  pin(folder, pins)
  say(['trusted, as they are now:', ...linesOf(Object.keys(pins))])
  return EXIT.ok
}

/** Trusts the changes in a folder that was trusted before. */
function updated(folder: string): number {
  if (folderTrust(folder) === 'unknown') {
    throw new HostError(
      'CONFIG_INVALID',
      `"${folder}" is not trusted yet, so there is nothing to update. Review its files, then run "braidwork trust" there.`,
    )
  }
  const before: Pins = pinsOf(folder) ?? {}
  const now = currentPins(folder)
  pin(folder, now)
  const changed = Object.keys(now).filter((path) => before[path] !== now[path])
  const gone = Object.keys(before).filter((path) => now[path] === undefined)
  const isSame = changed.length + gone.length === 0
  say([
    isSame ? 'nothing changed since it was trusted' : 'trusted, as it is now:',
    ...linesOf(changed),
    ...linesOf(gone).map((line) => `${line} (no longer used)`),
  ])
  return EXIT.ok
}

function revoked(folder: string): number {
  const wasTrusted = revokeTrust(folder)
  say([wasTrusted ? `no longer trusted: ${folder}` : `was not trusted: ${folder}`])
  return EXIT.ok
}

function linesOf(paths: readonly string[]): readonly string[] {
  return paths.toSorted().map((path) => `  ${path}`)
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${visible(line)}\n`)
}
