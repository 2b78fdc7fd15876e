import { readAdded } from '../load/added-plugins.ts'
import { type Discovered, discover } from '../load/discover.ts'

/** The plugins that the command finds from where it runs, and those that were added to it. */
export function discoverHere(walksUp = true): Discovered {
  const added = readAdded()
  const { plugins, diagnostics } = discover(process.cwd(), added.folders, walksUp)
  return { plugins, diagnostics: [...added.diagnostics, ...diagnostics] }
}
