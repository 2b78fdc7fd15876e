import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { completePackage, type Facts, moduleName, placeholders } from './facts.ts'

/** A file of a new package. */
export interface NewFile {
  /** Relative to the package, with `/`. */
  readonly path: string
  readonly text: string
}

/** Names that begin with a dot begin with this in the templates, since npm does not pack some of them. */
const DOT = /^dot-/
/** The folder that is called like the Python package. */
const MODULE = 'module'
/** Longer lists of tags take a line for each. */
const LONGEST_LIST = 60

/**
 * Makes the files of a package, in order of path.
 * @param templates - the folder of the templates
 */
export function filesOf(facts: Facts, templates: string): readonly NewFile[] {
  const values = placeholders(facts)
  return ['common', facts.kind]
    .flatMap((part) => readTemplates(join(templates, facts.language, part)))
    .map(({ path, text }) => {
      const filled = fill(withTags(text, facts.tags), values)
      return {
        path: targetOf(path, facts.name),
        text: path === 'package.json' ? completePackage(filled, facts) : filled,
      }
    })
    .sort((left, right) => (left.path < right.path ? -1 : 1))
}

function readTemplates(folder: string): readonly NewFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => {
    if (!entry.isFile()) return []
    const path = join(entry.parentPath, entry.name)
    const below = relative(folder, path).split(sep).join('/')
    return [{ path: below, text: readFileSync(path, 'utf8') }]
  })
}

function targetOf(path: string, name: string): string {
  const segments = path.split('/').map((segment) => segment.replace(DOT, '.'))
  return segments.map((one) => (one === MODULE ? moduleName(name) : one)).join('/')
}

/** Replaces `{{name}}`. Other double braces stay, such as those of GitHub Actions. */
function fill(text: string, values: { readonly [name: string]: string }): string {
  return text.replace(/\{\{([a-z]+)\}\}/g, (all, name: string) => values[name] ?? all)
}

/** Replaces the list `['{{tags}}']`, in the quotes and with the indentation of its line. */
function withTags(text: string, tags: readonly string[]): string {
  return text.replace(
    /^([ ]*)(.*)\[(["'])\{\{tags\}\}["']\]/gm,
    (_all, indent: string, before: string, quote: string) => {
      const items = tags.map((tag) => `${quote}${tag}${quote}`)
      const line = items.join(', ')
      if (line.length <= LONGEST_LIST) return `${indent}${before}[${line}]`
      const step = quote === '"' ? '    ' : '  '
      const lines = items.map((item) => `${indent}${step}${item},\n`)
      return `${indent}${before}[\n${lines.join('')}${indent}]`
    },
  )
}
