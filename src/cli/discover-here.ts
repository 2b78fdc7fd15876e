import { type Discovered, discover, readAdded, type SearchOptions } from '@braidwork/core/internal'

/** The plugins that the command finds from where it runs, and those that were added to it. */
export function discoverHere(options: SearchOptions = {}): Discovered {
  const added = readAdded()
  const { diagnostics, ...found } = discover(process.cwd(), added.folders, options)
  return { ...found, diagnostics: [...added.diagnostics, ...diagnostics] }
}
