import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const HOST = fileURLToPath(new URL('../../', import.meta.url))
const COMMAND = join(HOST, 'src', 'cli')

/** Installs the built host into a folder, as npm would. @returns the path of its command */
export async function installInto(folder: string, json: object = {}): Promise<string> {
  const own = join(folder, 'node_modules', 'braidwork')
  await mkdir(own, { recursive: true })
  await cp(join(COMMAND, 'dist'), join(own, 'dist'), { recursive: true, filter: isRun })
  await cp(join(COMMAND, 'package.json'), join(own, 'package.json'))
  await symlink(join(HOST, 'node_modules'), join(own, 'node_modules'))
  const manifest = { dependencies: { braidwork: '*' }, ...json }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  return join(own, 'dist', 'command', 'braidwork.js')
}

/** Leaves out what only compilers read: copying it takes longer than the rest. */
function isRun(path: string): boolean {
  return !path.endsWith('.d.ts') && !path.endsWith('.tsbuildinfo')
}

/** Packages of an installation that are other than those of the repository. */
export interface Differences {
  /** Packages that are not there. */
  readonly without?: readonly string[]
  /** Packages that are of another version, by name. */
  readonly versions?: { readonly [name: string]: string }
  /** Others that look for what they need in the folder. */
  readonly copied?: readonly string[]
}

/**
 * Fills a folder's node_modules with the packages of the repository: linked, but for the command and those of
 * another version, which are copies, so that they look for the others there.
 * @returns the path of the command
 */
export async function installPackages(
  folder: string,
  { without = [], versions = {}, copied = [] }: Differences = {},
): Promise<string> {
  const modules = join(folder, 'node_modules')
  const copies = new Set(['braidwork', ...Object.keys(versions), ...copied])
  // Waiting for each of hundreds of files takes longer than making it.
  for (const name of await packageNames()) {
    if (without.includes(name)) continue
    const from = realpathSync(join(HOST, 'node_modules', name))
    const to = join(modules, name)
    mkdirSync(dirname(to), { recursive: true })
    if (copies.has(name)) await copyPackage(from, to, versions[name])
    else symlinkSync(from, to)
  }
  return join(modules, 'braidwork', 'dist', 'command', 'braidwork.js')
}

async function packageNames(): Promise<readonly string[]> {
  const names = (await readdir(join(HOST, 'node_modules'))).filter((name) => !name.startsWith('.'))
  const each = names.map(async (name) => {
    if (!name.startsWith('@')) return [name]
    const scoped = await readdir(join(HOST, 'node_modules', name))
    return scoped.map((own) => `${name}/${own}`)
  })
  return (await Promise.all(each)).flat()
}

/** The version stands in the manifest, and where a package exports it in its code. */
async function copyPackage(from: string, to: string, version: string | undefined): Promise<void> {
  const left = new Set(await unpublished(from))
  const filter = (path: string) => isRun(path) && !left.has(relative(from, path))
  cpSync(from, to, { recursive: true, filter })
  if (version === undefined) return
  const own = join(to, 'package.json')
  const manifest = JSON.parse(await readFile(own, 'utf8')) as object
  await writeFile(own, JSON.stringify({ ...manifest, version }))
  for (const name of await readdir(join(to, 'dist'), { recursive: true })) {
    if (!name.endsWith('.js')) continue
    const code = await readFile(join(to, 'dist', name), 'utf8')
    const changed = code.replace(/(VERSION = )(["'])[\d.]+\2/, `$1'${version}'`)
    if (changed !== code) await writeFile(join(to, 'dist', name), changed)
  }
}

/** What lies in the folder of a package of this repository and is not published; of others only what they installed. */
async function unpublished(from: string): Promise<readonly string[]> {
  const { name, files } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly files?: readonly string[]
  }
  if (!/^(@braidwork\/|braidwork$)/.test(name) || files === undefined) return ['node_modules']
  const tops = new Set(['package.json', ...files.map((path) => path.split('/')[0] ?? '')])
  const names = await readdir(from)
  return names.filter((one) => one === 'docs' || !tops.has(one))
}
