/** The version of this package, which all packages of Braidwork have. */
export const VERSION = '0.1.0'

/** The key of a set that all copies of this package in a process share, even copies of different versions. */
const COPIES = Symbol.for('@braidwork/plugin copies')

const shared = globalThis as { [COPIES]?: Set<string> }
shared[COPIES] ??= new Set()
shared[COPIES].add(VERSION)

/** The versions of the copies of this package that the process has loaded. */
export function loadedVersions(): readonly string[] {
  return [...(shared[COPIES] ?? [])]
}
