import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
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
  'temml',
  '@rjsf/core',
  '@rjsf/utils',
  '@cfworker/json-schema',
]

/** Libraries for React run on preact. */
const AS_PREACT = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
}

type Level = Rolldown.LogLevel
type Log = Rolldown.RolldownLog
type Tell = (level: Level, log: Log) => void

/** A directive of React for servers says nothing to a browser. */
function withoutDirectives(level: Level, log: Log, tell: Tell) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log)
}

/** Builds the page as static files, which name each other by relative addresses: a server may have a base path. */
export async function buildPage(): Promise<void> {
  await build({
    configFile: false,
    root: SOURCE,
    base: './',
    logLevel: 'warn',
    resolve: { alias: AS_PREACT },
    build: {
      outDir: join('..', 'dist', 'site'),
      emptyOutDir: true,
      assetsDir: 'page',
      // The page's content security policy allows no `data:` scripts or styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      rolldownOptions: { onLog: withoutDirectives },
    },
  })
  const texts = await Promise.all(LIBRARIES.map(licenseOf))
  await writeFile(join(BUILT, 'licenses.txt'), texts.join('\n\n'))
}
