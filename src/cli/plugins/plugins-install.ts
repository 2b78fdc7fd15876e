import { isDeepStrictEqual } from 'node:util'
import { type PackageManifest, readAdded, readManifest, realPathOr } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { discoverHere } from '../discover-here.ts'
import { EXIT, reportError } from '../exit.ts'
import {
  checkStaged,
  describePackage,
  installationOf,
  isOfPypi,
  type LockEntry,
  type PackageSpec,
  packageIn,
  place,
  RESTART,
  RIGHTS,
  readLock,
  type Staged,
  tryLoad,
  withStaged,
} from '../packages/index.ts'
import { openForm } from '../settings/index.ts'
import { stylesOf } from '../terminal.ts'
import { assertNotStopped, unlessStopped, untilSignal } from '../until-signal.ts'
import { clearVenv, hasPython, prepareVenv } from './plugin-venv.ts'
import type { PluginsAddOptions } from './plugins-options.ts'
import { whileWaiting } from './while-waiting.ts'

/** Installs a package from the registry, once a person has agreed to what its plugins may do. */
export function installPackage(spec: PackageSpec, options: PluginsAddOptions): Promise<number> {
  progress(`fetching ${spec.name}; none of its code is run`)
  return untilSignal((signal) =>
    fetched(spec, signal, async (staged) => {
      const { name, version, integrity, packages } = staged
      const manifest = checkStaged(staged, discoverHere().plugins)
      say(`${name} ${version} (${integrity})`)
      for (const line of await describePackage(manifest, packages)) say(`  ${line}`)
      say(RIGHTS)
      if (!options.yes && !(await agrees(name, signal))) {
        say('Nothing was changed.')
        return EXIT.ok
      }
      const folder = await settle({ staged, manifest, signal }, spec.range, options)
      for (const plugin of manifest.plugins) {
        say(`added ${plugin.kind} "${plugin.name}" from ${folder}`)
      }
      return EXIT.ok
    }),
  )
}

/**
 * `braidwork plugins update [plugin]`: takes the newest version in range of the packages that `plugins add` installed,
 * or of one. A package whose update fails stays as it is.
 */
export async function pluginsUpdateCommand(
  reference: string | undefined,
  options: PluginsAddOptions,
): Promise<number> {
  const lock = readLock()
  const names = reference === undefined ? Object.keys(lock) : [installedName(reference)]
  if (names.length === 0) say('No plugins are installed from the registry.')
  let status: number = EXIT.ok
  for (const name of names) {
    const entry = lock[name]
    try {
      if (entry) await updatePackage(name, entry, options)
    } catch (error) {
      status = reportError(error)
      // Who stops one update wants no other to begin.
      if (HostError.is(error) && error.code === 'ABORTED') return status
    }
  }
  return status
}

function updatePackage(name: string, entry: LockEntry, options: PluginsAddOptions): Promise<void> {
  return untilSignal((signal) =>
    fetched({ name, range: entry.range }, signal, async (staged) => {
      const { version, integrity } = staged
      if (version === entry.version && integrity === entry.integrity) {
        say(`${name} ${version} is the newest version in the range "${entry.range}"`)
        return
      }
      const manifest = checkStaged(staged, discoverHere().plugins)
      const old = readManifest(packageIn(installationOf(name), name))
      const [before, after] = await Promise.all([
        old ? describePackage(old) : [],
        describePackage(manifest),
      ])
      await settle({ staged, manifest, signal }, entry.range, options)
      say(`updated ${name}: ${entry.version} → ${version}`)
      if (isDeepStrictEqual(before, after)) return
      say('What its plugins may do has changed:')
      for (const line of after) say(`  ${line}`)
    }),
  )
}

interface Settled {
  readonly staged: Staged
  readonly manifest: PackageManifest
  readonly signal: AbortSignal
}

/** Stages a package, and says so while its registry is slow. */
function fetched<T>(
  spec: PackageSpec,
  signal: AbortSignal,
  use: (staged: Staged) => Promise<T>,
): Promise<T> {
  const installer = isOfPypi(spec.name) ? 'pip' : 'npm'
  const limits = isOfPypi(spec.name) ? 'timeout and retries' : 'fetch-timeout and fetch-retries'
  const line = `${installer} still waits for the registry. Ctrl-C stops it and changes nothing. Its settings ${limits} say when it gives up.`
  return whileWaiting(
    () => progress(line),
    (end) =>
      withStaged(spec, signal, (staged) => {
        end()
        return use(staged)
      }),
  )
}

/** Makes what a package needs, and moves it to its place. By default, updates take versions that should fit too. */
async function settle(
  { staged, manifest, signal }: Settled,
  range = compatibleWith(staged),
  { env: named = [] }: PluginsAddOptions = {},
): Promise<string> {
  const isMade =
    hasPython(manifest.plugins) && (await prepareVenv(staged.folder, { signal, named }))
  try {
    await tryLoad(staged, manifest.plugins, signal)
    assertNotStopped(signal)
    return await place(staged, range, {
      // Another process may have added a plugin of the same name since the package was checked.
      check: () => void checkStaged(staged, discoverHere().plugins),
      onReplaced: async (folder) => {
        progress(RESTART)
        await clearVenv(folder, readAdded().folders.map(realPathOr))
      },
    })
  } catch (error) {
    if (isMade) await clearVenv(staged.folder, [])
    throw error
  }
}

/** The range of the versions that should fit where this one fits. */
function compatibleWith({ name, version }: Staged): string {
  const next = Number.parseInt(version, 10) + 1
  return isOfPypi(name) ? `>=${version},<${next}` : `^${version}`
}

/** The name of an installed package, by its own name or by that of one of its plugins. @throws {HostError} PLUGIN_UNKNOWN */
function installedName(reference: string): string {
  const names = Object.keys(readLock())
  const name = names.find(
    (one) =>
      one === reference ||
      readManifest(packageIn(installationOf(one), one))?.plugins.some(
        (plugin) => plugin.name === reference,
      ),
  )
  if (name !== undefined) return name
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `"${reference}" was not installed by "braidwork plugins add". Installed are: ${names.join(', ') || 'none'}.`,
  )
}

/** Asks on a terminal. @throws {HostError} OPTION_INVALID without one; ABORTED */
async function agrees(name: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new HostError(
      'OPTION_INVALID',
      `Nobody can be asked without a terminal, so nothing was changed. If you agree to what is said above, run: braidwork plugins add ${name} --yes`,
    )
  }
  using form = await openForm()
  const options = [
    { value: true, label: 'Yes' },
    { value: false, label: 'No' },
  ]
  const answer = form.choose({ message: `Add ${name}?`, options, initial: false })
  return (await unlessStopped(signal, answer)) === true
}

function progress(line: string): void {
  process.stderr.write(`${stylesOf(process.stderr).dim(visible(line))}\n`)
}

function say(line: string): void {
  process.stdout.write(`${visible(line)}\n`)
}
