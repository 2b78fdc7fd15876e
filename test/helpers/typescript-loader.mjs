/**
 * Lets Node 20 run TypeScript: `node --import` this file. It compiles modules of TypeScript alone, where tsx also
 * reads all others, which takes each process half a second.
 */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Node calls the hooks in a thread of their own, which loads this file once more.
if (isMainThread) register(import.meta.url)

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const { transform } = await import('esbuild')
  const text = await readFile(fileURLToPath(url), 'utf8')
  const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20' })
  return { format: 'module', source: code, shortCircuit: true }
}
