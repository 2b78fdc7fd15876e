import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { modulesOfNode } from './builtin-modules.ts'
import { writeLicenses } from './licenses.ts'
import { mergeChunks } from './merge-chunks.ts'
import { smallFetchClasses } from './small-fetch-classes.ts'
import { unusedParts } from './unused-parts.ts'
import { REGISTERING } from './validators.ts'
import { type Workspace, workspaces } from './workspaces.ts'

const COMMAND = 'src/cli'
const BUNDLE = './dist/bundle/'
/** The modules of the command that most of its commands load, those that list something, and the longest one. */
const OFTEN = ['program', 'tools', 'chat']

interface Bundle {
  /** The modules to bundle, by the paths of their bundles in `outdir`, without `.js`. */
  readonly entryPoints: { readonly [out: string]: string }
  readonly outdir: string
  readonly external: readonly string[]
  /** Modules that are imported when they are needed, of those that often are. */
  readonly often?: readonly string[]
}

/**
 * Bundles each package into a file for each of its doors, and the command with all packages of Braidwork that it uses.
 * Node takes about a millisecond to find and link a module, and a first request would need hundreds.
 */
export async function bundleAll(): Promise<void> {
  const all = await workspaces()
  await Promise.all(all.map(bundlePackage))
  await bundleCommand(all)
}

async function bundlePackage({ folder, manifest }: Workspace): Promise<void> {
  const entryPoints = Object.fromEntries(
    doorsOf(manifest).map((out) => [out, entryOf(folder, out)]),
  )
  if (Object.keys(entryPoints).length === 0) return
  const { dependencies = {}, peerDependencies = {} } = manifest
  const external = Object.keys({ ...dependencies, ...peerDependencies })
  await bundle({ entryPoints, outdir: join(folder, BUNDLE), external })
}

/** The bundles that a package's exports name. */
function doorsOf({ exports = {} }: Workspace['manifest']): readonly string[] {
  const paths = Object.values(exports).map((door) =>
    typeof door === 'string' ? door : door.default,
  )
  return paths
    .filter((path) => path.startsWith(BUNDLE))
    .map((path) => path.slice(BUNDLE.length, -'.js'.length))
}

/** The module behind a bundle. A plugin's own door registers its compiled validator. */
function entryOf(folder: string, out: string): string {
  const isPlugin = out === 'index' && !folder.startsWith('src/') && folder !== 'providers/model-api'
  return join(folder, 'dist', isPlugin ? REGISTERING : `${out}.js`)
}

async function bundleCommand(all: readonly Workspace[]): Promise<void> {
  const command = all.find(({ folder }) => folder === COMMAND)
  const { dependencies = {}, peerDependencies = {} } = command?.manifest ?? {}
  const external = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !name.startsWith('@braidwork/'),
  )
  const entryPoints = { braidwork: `${COMMAND}/dist/braidwork.js` }
  await bundle({ entryPoints, outdir: `${COMMAND}/dist/command`, external, often: OFTEN })
}

async function bundle({ entryPoints, outdir, external, often = [] }: Bundle): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: { ...entryPoints },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...external],
    mainFields: ['module', 'main'],
    define: { 'Symbol.dispose': 'disposeSymbol', 'Symbol.asyncDispose': 'asyncDisposeSymbol' },
    inject: ['scripts/build/dispose-symbols.ts'],
    plugins: [unusedParts(), smallFetchClasses(), modulesOfNode()],
    // The paths in tsconfig.json lead to sources, in which nothing is compiled ahead.
    tsconfigRaw: '{}',
    metafile: true,
    logLevel: 'warning',
    // A chunk that only shares code has no effects, and its import can go.
    logOverride: { 'ignored-bare-import': 'silent' },
  })
  await writeLicenses(metafile, outdir)
  await mergeChunks(outdir, [...Object.keys(entryPoints), ...often])
}
