import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Plugin } from 'esbuild'

/** Modules of the SDKs that name classes of `fetch`. */
const CLIENTS =
  /node_modules\/(openai|@anthropic-ai\/sdk)\/(client|internal\/.*|core\/.*|lib\/.*)\.mjs$/

const PLAIN_HEADERS = resolve('providers/model-api/dist/http/plain-headers.js')

/** No request of the providers has form data. */
const CLASSES = `import { PlainHeaders as Headers } from ${JSON.stringify(PLAIN_HEADERS)}
class FormData {}
`

/** Gives the vendors' SDKs small classes in place of the global ones of `fetch`, which take long to load. */
export function smallFetchClasses(): Plugin {
  return {
    name: 'small-fetch-classes',
    setup: (steps) => {
      steps.onLoad({ filter: CLIENTS, namespace: 'file' }, async ({ path }) => ({
        contents: CLASSES + (await readFile(path, 'utf8')),
        loader: 'js',
      }))
    },
  }
}
