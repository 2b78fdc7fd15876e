import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { licenseOf } from './licenses.ts'

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
