import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const SOURCE = 'src/page/site'
const BUILT = 'src/page/dist/site'
/** The libraries in the page, whose licenses go with it. */
const LIBRARIES = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'marked',
  'dompurify',
  'highlight.js',
]

/** Builds the page as static files, which name each other by relative addresses: a server may have a base path. */
export async function buildPage(): Promise<void> {
  await build({
    configFile: false,
    root: SOURCE,
    base: './',
    logLevel: 'warn',
    build: {
      outDir: join('..', 'dist', 'site'),
      emptyOutDir: true,
      assetsDir: 'page',
      // The page's content security policy allows no `data:` scripts or styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
    },
  })
  const texts = await Promise.all(LIBRARIES.map(licenseOf))
  await writeFile(join(BUILT, 'licenses.txt'), texts.join('\n\n'))
}

async function licenseOf(name: string): Promise<string> {
  const folder = join('node_modules', name)
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one))
  if (!file) throw new Error(`The library ${name} has no license file.`)
  return `${name}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
}
