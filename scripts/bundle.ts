/**
 * The last step of the build. Node needs about a millisecond to find and link a module, so two packages are bundled
 * into a few files: the command with the packages that it uses (about a hundred modules at start), and
 * `@braidwork/plugin`, of which every plugin uses a little. The other packages stay as `tsc` wrote them.
 * This step also copies the Python code and the guides into the packages that contain them.
 */
import { cp, readFile, rm } from 'node:fs/promises'
import { build } from 'esbuild'

interface Bundle {
  readonly entryPoints: readonly string[]
  readonly outdir: string
  readonly external?: readonly string[]
}

async function bundle({ entryPoints, outdir, external = [] }: Bundle): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [...entryPoints],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...external],
    // The paths in tsconfig.json lead to sources, in which the validators are not compiled.
    tsconfigRaw: '{}',
    logLevel: 'warning',
  })
}

/** The third-party dependencies of a package. */
async function librariesOf(folder: string): Promise<readonly string[]> {
  const { dependencies } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as {
    readonly dependencies: { readonly [name: string]: string }
  }
  return Object.keys(dependencies).filter((name) => !name.startsWith('@braidwork/'))
}

const PLUGIN = 'src/plugin/dist'
await bundle({
  entryPoints: [`${PLUGIN}/index.js`, `${PLUGIN}/internal.js`],
  outdir: `${PLUGIN}/bundle`,
})
await bundle({
  entryPoints: ['src/cli/dist/braidwork.js'],
  outdir: 'src/cli/dist/command',
  external: await librariesOf('src/cli'),
})

/** Copies a folder of the repository into a package, since npm packs no files from outside the package. */
async function copyInto(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await cp(from, to, { recursive: true, filter: (path) => !path.includes('__pycache__') })
}

await copyInto('docs', 'src/cli/docs')
await copyInto('python', 'src/python/kit')

/** The modules that the Python kit and the shim have in common; the kit has the source. */
const SHARED = ['docstrings.py', 'functions.py', 'schemas.py', 'to_json.py']

/** The interpreter imports the shim without the kit, and the kit has to work without the shim: each has its own copy. */
async function buildShim(from: string, to: string): Promise<void> {
  await copyInto(from, to)
  for (const name of SHARED) {
    await cp(`python/braidwork/testing/function_tools/${name}`, `${to}/braidwork_bridge/${name}`)
  }
}

await buildShim('src/python/shim', 'src/python/dist/shim')
