/** Builds the documentation as static pages: `npm run docs:site [-- FOLDER]`, by default into `.cache/site`. */
import { resolve } from 'node:path'
import { buildSite } from './site/build.ts'

const root = resolve(import.meta.dirname, '..')
const [, , folder = '.cache/site'] = process.argv
const { pages, bytes } = await buildSite(root, resolve(folder))
process.stdout.write(`${pages} pages in ${folder}, search index ${Math.round(bytes / 1024)} kB\n`)
