import { dirname, join, sep } from 'node:path'
import {
  AGENTS_FOLDER,
  type AgentText,
  addedFile,
  allPinned,
  allTrusted,
  isFolder,
  Pinning,
  readAdded,
  realPath,
  trustFile,
  userConfigFile,
} from '@braidwork/core/internal'
import type { LoadedConfig } from './options.ts'
import { startedFiles } from './started-files.ts'

interface Obeyed {
  /** The config and the agents that it declares. */
  readonly given: unknown
  readonly layers: LoadedConfig['layers']
  /** The plugins of the config. */
  readonly listed: readonly string[]
  /** The files that declare agents. */
  readonly texts: readonly AgentText[]
}

/**
 * The files that decide which code runs at the next start, and with which keys: configs, agents, plugins and the programs
 * of MCP servers, of trusted folders and of this command line. A folder of agents ends with a separator, since a new file there is an agent too.
 */
export function obeyedFiles({ given, layers, listed, texts }: Obeyed): readonly string[] {
  const pinning = new Pinning()
  for (const reference of listed) pinning.addPlugin(reference)
  for (const folder of readAdded().folders) if (isFolder(folder)) pinning.addPackage(folder)
  const configs = layers.flatMap(({ file }) => (file ? [file.path] : []))
  const own = [trustFile(), addedFile(), userConfigFile()]
  const beside = new Set([...configs, userConfigFile()].map((path) => realPath(dirname(path))))
  return [
    ...[...configs, ...own, ...texts.map(({ path }) => path)].map(realPath),
    ...[...beside, ...allTrusted()].map(agentsIn),
    ...allPinned(),
    ...pinning.pins.keys(),
    ...startedFiles(given),
  ]
}

function agentsIn(folder: string): string {
  return `${realPath(join(folder, AGENTS_FOLDER))}${sep}`
}
