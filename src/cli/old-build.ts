import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { type PackageManifest, realPathOr } from '@braidwork/core/internal'
import type { Diagnostic } from '@braidwork/plugin'

/** What a build may compile to JavaScript. */
const SOURCE = /(?<!\.d)\.[cm]?tsx?$/
/** More files than packages of plugins have. Others are not looked through at each start. */
const MOST_FILES = 500

type Package = Pick<PackageManifest, 'folder'> & {
  readonly plugins: readonly { readonly name: string; readonly entry: string }[]
}

/** A warning for a package whose source is newer than its build, which is what runs. */
export function oldBuild({ folder, plugins }: Package): Diagnostic | undefined {
  const built = plugins.find(({ entry }) => buildFolder(folder, entry) !== undefined)
  const output = built && buildFolder(folder, built.entry)
  if (!built || output === undefined) return undefined
  const source = newestIn(folder, ({ name }) => SOURCE.test(name), output)
  if (!source || source.time <= (newestIn(join(folder, output), () => true)?.time ?? 0)) {
    return undefined
  }
  const message = `"${relative(folder, source.path)}" of plugin "${built.name}" is newer than its build in "${output}", which runs. Build it again: cd ${folder} && ${buildCommand(folder)}`
  return { code: 'BUILD_OLD', level: 'warning', plugin: built.name, message }
}

/** The warnings for the packages of plugins that are in one of these folders. */
export function oldBuilds(
  plugins: readonly (Package['plugins'][number] & { readonly folder: string })[],
  folders: readonly string[],
): readonly Diagnostic[] {
  return folders.map(realPathOr).flatMap((folder) => {
    const own = plugins.filter((plugin) => plugin.folder === folder)
    return oldBuild({ folder, plugins: own }) ?? []
  })
}

/** The folder of a package that a build writes to: the first one on the way to a module in JavaScript. */
function buildFolder(folder: string, entry: string): string | undefined {
  const [first = '', ...below] = relative(folder, entry).split(sep)
  return below.length > 0 && /^\.[cm]?js$/.test(extname(entry)) ? first : undefined
}

interface Newest {
  readonly path: string
  readonly time: number
}

function newestIn(
  folder: string,
  isWanted: (entry: Dirent) => boolean,
  left?: string,
): Newest | undefined {
  let newest: Newest | undefined
  for (const path of filesIn(folder, isWanted, left)) {
    const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (!newest || time > newest.time) newest = { path, time }
  }
  return newest
}

/** Files of a folder and of those below it, but of no packages and no hidden folders. */
function filesIn(
  folder: string,
  isWanted: (entry: Dirent) => boolean,
  left = 'node_modules',
): readonly string[] {
  const files: string[] = []
  const folders = [folder]
  for (let at = 0; at < folders.length && files.length < MOST_FILES; at++) {
    for (const entry of entriesIn(folders[at] ?? '')) {
      const path = join(folders[at] ?? '', entry.name)
      const isLeft = entry.name === 'node_modules' || entry.name.startsWith('.')
      if (entry.isFile() && isWanted(entry)) files.push(path)
      if (entry.isDirectory() && !isLeft && relative(folder, path) !== left) folders.push(path)
    }
  }
  return files
}

/** A folder that cannot be read has nothing to compare. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function buildCommand(folder: string): string {
  try {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly scripts?: { readonly [name: string]: unknown }
    }
    return scripts?.['build'] === undefined ? 'npx tsc' : 'npm run build'
  } catch {
    return 'npx tsc'
  }
}
