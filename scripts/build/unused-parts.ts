import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * Modules of OpenAI's SDK that the provider does not use. The client makes an object of every resource of the API; the
 * provider sends its requests with the client's own `post` and `get`.
 */
const UNUSED = /node_modules\/openai\/resources\/.*\.mjs$/

/** Replaces the unused modules with empty classes under the same names, so that the client's code stays as it is. */
export function unusedParts(): Plugin {
  return {
    name: 'unused-parts',
    setup({ onLoad }) {
      onLoad({ filter: UNUSED }, async ({ path }) => ({
        contents: await emptyClasses(path),
        loader: 'js',
      }))
    },
  }
}

async function emptyClasses(path: string): Promise<string> {
  const names = Object.keys((await import(pathToFileURL(path).href)) as object)
  const classes = names.map((name) => `export class ${name} {}`)
  return [`// ${relative('.', path)}, without its code`, ...classes].join('\n')
}
