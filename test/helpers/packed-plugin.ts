import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A package for a registry. */
export interface PackedPlugin {
  readonly name: string
  readonly version?: string
  /** What its manifest tells of its plugin; without it, it has none. */
  readonly plugin?: object
  /** More members of its package.json. */
  readonly json?: object
  /** More files, by path. */
  readonly files?: { readonly [path: string]: string }
}

/** The code of an extension that changes nothing. */
function code(name: string): string {
  return `export default { kind: 'extension', name: '${name}', fromNative: (_, core) => core }\n`
}

/** Packs a package with npm, in a new folder within this one. @returns the path of the tarball */
export async function packPlugin(folder: string, packed: PackedPlugin): Promise<string> {
  const { name, version = '1.0.0', plugin, json = {}, files = {} } = packed
  const made = await mkdtemp(join(folder, 'packing-'))
  const plugins = [{ kind: 'extension', name: 'shout', entry: './index.js', ...plugin }]
  const manifest = plugin === undefined ? {} : { braidwork: { apiVersion: 1, plugins } }
  const all = {
    'package.json': JSON.stringify({ name, version, type: 'module', ...manifest, ...json }),
    'index.js': code(plugins[0]?.name ?? ''),
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(made, path)), { recursive: true })
    await writeFile(join(made, path), text)
  }
  const pack = ['pack', '--ignore-scripts', '--silent']
  const { stdout } = await run('npm', pack, {
    cwd: made,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return join(made, stdout.trim())
}
