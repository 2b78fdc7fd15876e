import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** An import of another file of the bundle as esbuild writes it. Without names, it only runs the file. */
const IMPORT = /^import (?:\{([^}]*)\} from )?"(\.[^"]+)";\n/gm
/** The exports of a chunk as esbuild writes them, at its end. */
const EXPORTS = /^export \{([^}]*)\};$/m
const CHUNK = /^chunk-[A-Z0-9]+\.js$/
/** Modules of others may do something when they are loaded. Those of Braidwork only declare. */
const OF_OTHERS = /^\/\/ .*node_modules\//m

/** The text of each file of a bundle, by its path in the bundle's folder. */
type Files = Map<string, string>

/**
 * Merges the chunks that a door of a package always loads together into one, for one door after another. esbuild makes
 * a chunk for each set of doors that share modules, and Node takes longer to find a file than to parse 50 kB.
 * @param outdir a folder that esbuild wrote with `splitting`
 * @param doors the modules, by the names of their files in it without `.js` and hash. First the one that most programs load
 */
export async function mergeChunks(outdir: string, doors: readonly string[]): Promise<void> {
  const files = await filesIn(outdir)
  const split = [...files.keys()].filter((path) => CHUNK.test(path))
  dropBareImports(files)
  dropUnused(split, files)
  for (const door of doors) {
    const loaded = loadedBy(fileOf(door, files), files)
    const group = split.filter((path) => loaded.has(path))
    if (group.length > 1) await merge(group, { outdir, files })
  }
  await Promise.all([...files].map(([path, text]) => writeFile(join(outdir, path), text)))
  const gone = split.filter((path) => !files.has(path))
  await Promise.all(gone.map((path) => rm(join(outdir, path))))
}

/** The file of a door, or of a module that is imported when it is needed: its name has a hash. */
function fileOf(door: string, files: Files): string {
  const hashed = new RegExp(`^${door}-[A-Z0-9]{8}\\.js$`)
  const found = [...files.keys()].find((path) => path === `${door}.js` || hashed.test(path))
  if (found === undefined) throw new Error(`The bundle has no file of "${door}".`)
  return found
}

async function filesIn(outdir: string): Promise<Files> {
  const paths = (await readdir(outdir, { recursive: true })).filter((path) => path.endsWith('.js'))
  const texts = await Promise.all(paths.map((path) => readFile(join(outdir, path), 'utf8')))
  return new Map(paths.map((path, at) => [path, texts[at] ?? '']))
}

/** Removes imports for the sake of which a chunk is loaded although nothing of it is used. */
function dropBareImports(files: Files): void {
  for (const [path, text] of files) {
    const changed = text.replaceAll(IMPORT, (whole, names: string | undefined, from: string) => {
      const target = targetOf(path, from)
      const isUseless = CHUNK.test(target) && !OF_OTHERS.test(files.get(target) ?? '')
      return names === undefined && isUseless ? '' : whole
    })
    files.set(path, changed)
  }
}

/** Removes chunks that no file imports any more. */
function dropUnused(chunks: readonly string[], files: Files): void {
  const used = new Set([...files.keys()].flatMap((path) => [...loadedBy(path, files)]))
  for (const path of chunks) if (!used.has(path)) files.delete(path)
}

/** The files that are loaded with a file. */
function loadedBy(path: string, files: Files, found = new Set<string>()): ReadonlySet<string> {
  for (const [, , from = ''] of (files.get(path) ?? '').matchAll(IMPORT)) {
    const target = targetOf(path, from)
    if (!files.has(target) || found.has(target)) continue
    found.add(target)
    loadedBy(target, files, found)
  }
  return found
}

interface Folder {
  readonly outdir: string
  readonly files: Files
}

/** Replaces files with one that has the exports of all. Those of chunks have the number of their chunk: names may be equal. */
async function merge(group: readonly string[], { outdir, files }: Folder): Promise<void> {
  const exported = group.map((path, at) => {
    const pairs = exportsOf(files.get(path) ?? '').map((name) => `${name} as ${numbered(name, at)}`)
    return `export { ${pairs.join(', ')} } from "./${path}"`
  })
  const { outputFiles } = await build({
    stdin: { contents: exported.join('\n'), resolveDir: outdir },
    outdir,
    entryNames: 'chunk-[hash]',
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    ignoreAnnotations: true,
    plugins: [onlyThese(new Set(group), files)],
    logLevel: 'warning',
  })
  const [merged] = outputFiles
  if (!merged) throw new Error(`The chunks ${group.join(', ')} could not be merged.`)
  const name = relative(outdir, merged.path)
  for (const path of group) files.delete(path)
  for (const [path, text] of files) files.set(path, withImportsFrom(name, { path, text, group }))
  files.set(name, merged.text)
}

/** The names that a chunk exports. */
function exportsOf(text: string): readonly string[] {
  const [, names = ''] = EXPORTS.exec(text) ?? []
  return namesIn(names).map((one) => one.replace(/^.* as /, ''))
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function numbered(name: string, at: number): string {
  return `${name}_${at}`
}

/** Lets esbuild bundle the files of a group, as they were read, and nothing else. */
function onlyThese(group: ReadonlySet<string>, files: Files): Plugin {
  return {
    name: 'only-these',
    setup: (steps) => {
      steps.onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const target = normalize(path)
        const isOne = kind === 'import-statement' && path.startsWith('.') && group.has(target)
        return isOne ? { path: target, namespace: 'chunk' } : { path, external: true }
      })
      steps.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: files.get(path) ?? '',
      }))
    },
  }
}

interface Importing {
  readonly path: string
  readonly text: string
  readonly group: readonly string[]
}

/** The text of a file that imports from a merged chunk what it imported from those of the group. */
function withImportsFrom(merged: string, { path, text, group }: Importing): string {
  return text.replaceAll(IMPORT, (whole, names: string | undefined, from: string) => {
    const at = group.indexOf(targetOf(path, from))
    if (at < 0) return whole
    const own = relative(dirname(path), merged).split(sep).join('/')
    const place = own.startsWith('.') ? own : `./${own}`
    if (names === undefined) return `import "${place}";\n`
    const renamed = namesIn(names).map((one) => {
      const [name = '', local = name] = one.split(' as ')
      return `  ${numbered(name, at)} as ${local}`
    })
    return `import {\n${renamed.join(',\n')}\n} from "${place}";\n`
  })
}

/** The path in the bundle's folder of a file that another one imports. */
function targetOf(path: string, from: string): string {
  return normalize(join(dirname(path), from))
}
