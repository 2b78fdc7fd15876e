import { type Discovered, discover, readAdded, type SearchOptions } from '@braidwork/core/internal'

/** The plugins found from the working directory, and those that `braidwork plugins add` added. */
export function discoverHere(options: SearchOptions = {}): Discovered {
  const added = readAdded()
  const { diagnostics, ...found } = discover(process.cwd(), added.folders, options)
  return { ...found, diagnostics: [...added.diagnostics, ...diagnostics] }
}
