import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ManifestPlugin } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { DEFAULT_LIMITS } from '@braidwork/plugin/internal'
import { runChild } from '../run-child.ts'
import type { Staged } from './staged.ts'

const LONGEST = 300

/**
 * Runs the modules of a staged package in JavaScript, each in a process of its own, since this process could not run
 * another version of them. Node tells the line of a syntax error only where nobody catches it.
 * @throws {HostError} PACKAGE_INSTALL_FAILED, ABORTED
 */
export async function tryLoad(
  staged: Staged,
  plugins: readonly ManifestPlugin[],
  signal: AbortSignal,
): Promise<void> {
  for (const plugin of plugins.filter(({ entry }) => /\.[cm]?js$/.test(entry))) {
    const reason = await faultOf(plugin, signal)
    if (reason === undefined) continue
    const where = reason.replaceAll(`${staged.folder}/`, '')
    throw new HostError(
      'PACKAGE_INSTALL_FAILED',
      `"${staged.name}@${staged.version}" is broken: its plugin "${plugin.name}" (${relative(staged.folder, plugin.entry)}) cannot be loaded: ${where}. Nothing was changed. To install another version: braidwork plugins add ${staged.name}@VERSION`,
    )
  }
}

/** Why a module cannot be loaded. Undefined if it can. */
async function faultOf(
  { entry, kind, name }: ManifestPlugin,
  signal: AbortSignal,
): Promise<string | undefined> {
  const late = AbortSignal.timeout(DEFAULT_LIMITS.hook * 1000)
  try {
    const args = ['-e', programFor(entry, `${kind} "${name}"`)]
    const ran = await runChild(process.execPath, args, {
      signal: AbortSignal.any([signal, late]),
    })
    return ran.status === 0 ? undefined : saidIn(ran.err)
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error
    return `it did not load within ${DEFAULT_LIMITS.hook} s`
  }
}

/** Ends itself, since a plugin may keep timers or sockets open. */
function programFor(entry: string, stated: string): string {
  const [address, wanted] = [pathToFileURL(entry).href, stated].map((text) => JSON.stringify(text))
  return `import(${address}).then(({ default: given }) => {
  const plugin = given && given.__esModule ? given.default : given
  if (plugin === undefined || plugin === null) throw new Error('it has no default export')
  const has = plugin.kind + ' "' + plugin.name + '"'
  if (has !== ${wanted}) throw new Error('the manifest says ' + ${wanted} + ', but it is ' + has)
  process.exit(0)
})`
}

/** The error that Node printed, with the place that it printed first. */
function saidIn(err: string): string {
  const said = /^(?:Uncaught )?\w*(?:Error|Exception)\b.*$/m.exec(err)?.[0] ?? err.trim()
  const site = /^file:\/\/(\/.+:\d+)$/m.exec(err)?.[1] ?? /^(\/.+:\d+)$/m.exec(err)?.[1]
  const short = said.replace(/\.$/, '').slice(0, LONGEST)
  return site === undefined ? short : `${short} (${decodeURI(site)})`
}
