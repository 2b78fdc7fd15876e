import type { Diagnostic } from '@braidwork/plugin'
import { realPathOf } from './trust.ts'

export type Trust = 'trusted' | 'changed' | 'unknown'

export type Changes = ReadonlyMap<string, 'changed' | 'new'>

/** Whether the config, or the packages, of a folder are trusted, with the changes since then. */
export interface TrustState {
  readonly trust: Trust
  /** The paths that are not as they were when the folder was trusted: changed or new. */
  readonly changed: Changes
}

/** The reason why a config or a package is not trusted, and the command that trusts it. */
export function whyUntrusted(folder: string, { trust, changed }: TrustState, own?: string): string {
  const place = realPathOf(folder)
  const there = place === process.cwd() ? '' : ` ${quoted(place)}`
  if (trust === 'unknown') {
    return `its folder is not trusted yet. Review it, then run "braidwork trust${there}"`
  }
  const isAlone = changed.size === 1 && own !== undefined && changed.has(realPathOf(own))
  const named = (how: string) =>
    [...changed].flatMap(([path, one]) => (one === how ? [isAlone ? 'it' : `"${path}"`] : []))
  const parts = [
    ...verbed(named('changed'), ['changed', 'changed']),
    ...verbed(named('new'), ['is new', 'are new']),
  ]
  return `${parts.join(', and ')} since its folder was trusted. Review the change, then accept it with "braidwork trust --update${there}"`
}

function verbed(names: readonly string[], [one, many]: readonly [string, string]): string[] {
  return names.length === 0 ? [] : [`${names.join(', ')} ${names.length === 1 ? one : many}`]
}

/** The diagnostic for an untrusted part of a folder. It is an error if the part was trusted before it changed. */
export function untrusted({ trust }: Pick<TrustState, 'trust'>, message: string): Diagnostic {
  return { code: 'FOLDER_UNTRUSTED', level: trust === 'changed' ? 'error' : 'warning', message }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
