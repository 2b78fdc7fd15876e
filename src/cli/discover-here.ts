import { readAdded } from '../load/added-plugins.ts'
import { type Discovered, discover, type SearchOptions } from '../load/discover.ts'

/** The plugins that the command finds from where it runs, and those that were added to it. */
export function discoverHere(options: SearchOptions = {}): Discovered {
  const added = readAdded()
  const { diagnostics, ...found } = discover(process.cwd(), added.folders, options)
  return { ...found, diagnostics: [...added.diagnostics, ...diagnostics] }
}
