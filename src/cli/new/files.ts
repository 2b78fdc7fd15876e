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
/** A package.json within a package has a meaning for Node and for bundlers, so that of a template has another name. */
const TEMPLATE = /^template-/
/** The folder that is called like the Python package. */
const MODULE = 'module'
/** Longer lists of tags take a line for each. */
const LONGEST_LIST = 60
/** A function that is called like the tool. It is a valid name, unlike the other placeholders. */
const FUNCTION = '__function__'

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
      const target = targetOf(path, facts.name)
      return {
        path: target,
        text: target === 'package.json' ? completePackage(filled, facts) : filled,
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
  const segments = path.split('/').map((segment) => segment.replace(DOT, '.').replace(TEMPLATE, ''))
  return segments.map((one) => (one === MODULE ? moduleName(name) : one)).join('/')
}

/** Replaces `{{name}}`. Other double braces stay, such as those of GitHub Actions. */
function fill(text: string, values: { readonly [name: string]: string }): string {
  return text
    .replaceAll(FUNCTION, values['function'] ?? '')
    .replace(/\{\{([a-z]+)\}\}/g, (all, name: string) => values[name] ?? all)
}

/** Replaces the list `['{{tags}}']` of a line. */
function withTags(text: string, tags: readonly string[]): string {
  const lines = text.split('\n')
  return lines
    .map((line) => listed(listed(line, tags, { quote: "'", step: '  ' }), tags, PYTHON))
    .join('\n')
}

interface Style {
  readonly quote: string
  readonly step: string
}

const PYTHON: Style = { quote: '"', step: '    ' }

function listed(line: string, tags: readonly string[], { quote, step }: Style): string {
  const items = tags.map((tag) => `${quote}${tag}${quote}`)
  const short = items.join(', ')
  const indent = line.slice(0, line.length - line.trimStart().length)
  const long = `\n${items.map((item) => `${indent}${step}${item},\n`).join('')}${indent}`
  const list = `[${short.length <= LONGEST_LIST ? short : long}]`
  return line.replaceAll(`[${quote}{{tags}}${quote}]`, () => list)
}
