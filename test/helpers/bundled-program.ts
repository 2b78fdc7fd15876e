import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { onceInRun } from './once-in-run.ts'
import { ROOT } from './source-files.ts'

/**
 * Bundles a program in TypeScript with the sources that it imports by their paths. Node starts it without tsx, which takes
 * a second for hundreds of sources. Packages are those of this repository, and dynamic imports stay dynamic.
 * @param program the path of the program, or its text, whose paths are those from the root
 * @returns the path of the file
 */
export async function bundledProgram(program: string): Promise<string> {
  const isPath = extname(program) === '.ts'
  const name = `program-${createHash('sha1').update(program).digest('hex')}`
  return onceInRun(name, async (folder) => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await build({
      ...(isPath
        ? { entryPoints: { program } }
        : { stdin: { contents: program, resolveDir: ROOT, loader: 'ts' }, entryNames: 'program' }),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      splitting: true,
      bundle: true,
      packages: 'external',
      platform: 'node',
      target: 'node20',
      format: 'esm',
      logLevel: 'error',
      plugins: [PLACES],
    })
    return join(folder, 'program.mjs')
  })
}

/** Sources of a bundle know the places where they are, not that of the bundle. */
const PLACES: Plugin = {
  name: 'places',
  setup: (bundle) =>
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: withPlace(path), loader: 'ts' })),
}

function withPlace(path: string): string {
  return readFileSync(path, 'utf8')
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.filename', JSON.stringify(path))
}
