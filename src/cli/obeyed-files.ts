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
  /** The config, with the agents in it. */
  readonly given: unknown
  readonly layers: LoadedConfig['layers']
  /** The plugins of the config. */
  readonly listed: readonly string[]
  /** The files that declare agents. */
  readonly texts: readonly AgentText[]
}

/**
 * Finds the files that decide which code runs at the next start, and with which keys: configs, agents, plugins and the
 * programs of their MCP servers, of trusted folders and of this command line. A folder of agents ends with a separator,
 * since a new file there is an agent too.
 * @returns looks again with each call
 */
export async function obeyedFiles({
  given,
  layers,
  listed,
  texts,
}: Obeyed): Promise<() => readonly string[]> {
  const specs = await specsIn(texts)
  const configs = layers.flatMap(({ file }) => (file ? [file.path] : []))
  const user = [userConfigFile() ?? []].flat()
  const own = [trustFile() ?? [], addedFile() ?? [], user].flat()
  const beside = new Set([...configs, ...user].map((path) => realPath(dirname(path))))
  return () => [
    ...[...configs, ...own, ...texts.map(({ path }) => path)].map(realPath),
    ...[...beside, ...allTrusted()].map(agentsFolder),
    ...allPinned(),
    ...pluginFiles(listed),
    ...startedFiles([given, ...specs]),
  ]
}

/** The specs that may name a program. The module that reads them takes time, so it is loaded only for these. */
async function specsIn(texts: readonly AgentText[]): Promise<readonly unknown[]> {
  const naming = texts.filter(({ text }) => text?.includes('command'))
  if (naming.length === 0) return []
  const { agentsIn } = await import('@braidwork/agent/internal')
  return (await agentsIn(naming)).agents
}

function pluginFiles(listed: readonly string[]): Iterable<string> {
  const pinning = new Pinning()
  for (const reference of listed) pinning.addPlugin(reference)
  for (const folder of readAdded().folders) if (isFolder(folder)) pinning.addPackage(folder)
  return pinning.pins.keys()
}

function agentsFolder(folder: string): string {
  return `${realPath(join(folder, AGENTS_FOLDER))}${sep}`
}
