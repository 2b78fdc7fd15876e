import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * Modules of the vendors' SDKs that the providers do not use. Each client makes an object of every resource of its API;
 * the providers send their requests with the client's own `post` and `get`.
 */
const UNUSED = /node_modules\/(openai|@anthropic-ai\/sdk)\/resources\/.*\.mjs$/

/** The module with which OpenAI's SDK formats each request and answer for its log, although the log is off. */
const LOG = /node_modules\/openai\/internal\/utils\/log\.mjs$/

/** The metrics that the server uses. The others load modules of Node, and OpenTelemetry. */
const METRICS = /node_modules\/prom-client\/index\.js$/
const USED_METRICS = ['counter', 'gauge', 'histogram', 'registry']

/** Marks a module of which only some exports are used. */
const WHOLE = '?whole'

/**
 * Replaces unused classes with empty ones of the same names, so that the client's code stays as it is, and leaves out
 * the texts of the log.
 */
export function unusedParts(): Plugin {
  return {
    name: 'unused-parts',
    setup: (steps) => {
      steps.onResolve({ filter: /\?whole$/ }, ({ path }) => ({
        path: path.slice(0, -WHOLE.length),
        namespace: 'whole',
        sideEffects: false,
      }))
      steps.onLoad({ filter: /./, namespace: 'whole' }, async ({ path }) => ({
        contents: await readFile(path, 'utf8'),
        resolveDir: dirname(path),
        loader: 'js',
      }))
      steps.onLoad({ filter: UNUSED, namespace: 'file' }, async ({ path }) => ({
        contents: await withoutResources(path),
        resolveDir: dirname(path),
        loader: 'js',
      }))
      steps.onLoad({ filter: METRICS, namespace: 'file' }, ({ path }) => ({
        contents: usedMetrics(),
        resolveDir: dirname(path),
        loader: 'js',
      }))
      steps.onLoad({ filter: LOG, namespace: 'file' }, ({ path }) => ({
        contents: withoutLogTexts(path),
        resolveDir: dirname(path),
        loader: 'js',
      }))
    },
  }
}

function usedMetrics(): string {
  return USED_METRICS.map((name) => {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    return `exports.${title} = require('./lib/${name}')\n`
  }).join('')
}

function withoutLogTexts(path: string): string {
  return `export * from ${JSON.stringify(path + WHOLE)}
export const formatRequestDetails = (details) => details
`
}

function isErrorClass(value: unknown): boolean {
  return typeof value === 'function' && value.prototype instanceof Error
}

/** The module with empty classes for the resources. Classes of errors stay: the client throws them. */
async function withoutResources(path: string): Promise<string> {
  const module = (await import(pathToFileURL(path).href)) as { readonly [name: string]: unknown }
  const exported = Object.entries(module)
  const errors = exported.filter(([, value]) => isErrorClass(value))
  const others = exported.filter((one) => !errors.includes(one)).map(([name]) => name)
  return [
    `export { ${errors.map(([name]) => name).join(', ')} } from ${JSON.stringify(path + WHOLE)}`,
    ...others.map((name) => `export class ${name} {}`),
  ].join('\n')
}
