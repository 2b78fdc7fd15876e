import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { ROOT, sourceFiles } from '../source-files.ts'
import { type Node, walk } from '../syntax.ts'

/** A regular expression of the source. */
export interface Expression {
  readonly path: string
  readonly line: number
  readonly source: string
  readonly flags: string
  readonly language: 'TypeScript' | 'Python'
}

/** A call of `RegExp` whose pattern is made when it runs. */
export interface Made {
  readonly path: string
  readonly line: number
  /** What the pattern is made of, as the source has it. */
  readonly of: string
}

/** The regular expressions that a TypeScript file writes down, and the calls that make others. */
export function expressionsIn(path: string, text: string): { written: Expression[]; made: Made[] } {
  const written: Expression[] = []
  const made: Made[] = []
  walk(parseSync(path, text).program, (node) => {
    const place = { path, line: text.slice(0, node.start).split('\n').length }
    const regex = node['regex'] as { pattern: string; flags: string } | undefined
    const add = (source: string, flags: string) =>
      written.push({ ...place, source, flags, language: 'TypeScript' })
    if (regex) add(regex.pattern, regex.flags)
    if (!isRegExpCall(node)) return
    const [first, second] = node['arguments'] as { value?: unknown; start: number; end: number }[]
    if (typeof first?.value === 'string') add(first.value, String(second?.value ?? ''))
    else if (first) made.push({ ...place, of: text.slice(first.start, first.end) })
  })
  return { written, made }
}

function isRegExpCall(node: Node): boolean {
  const callee = node['callee'] as { readonly name?: string } | undefined
  return /^(?:New|Call)Expression$/.test(node.type) && callee?.name === 'RegExp'
}

const FOLDERS = ['src', 'providers', 'extensions', 'features', 'tools']

/** All that TypeScript files of the product have. */
export function writtenExpressions(): { written: Expression[]; made: Made[] } {
  const files = sourceFiles(...FOLDERS).filter(({ text }) => text !== '')
  const found = files.map(({ path, text }) => expressionsIn(path, text))
  return {
    written: found.flatMap(({ written }) => written),
    made: found.flatMap(({ made }) => made),
  }
}

/** Those that are made when files are loaded, in a process of its own: it notes each call of `RegExp`. */
export function madeAtLoad(paths: readonly string[]): Expression[] {
  const script = `
    const Native = RegExp, noted = []
    let path = ''
    globalThis.RegExp = new Proxy(Native, { construct: (_, [source, flags = '']) => {
      noted.push({ path, line: 0, source: String(source), flags, language: 'TypeScript' })
      return new Native(source, flags)
    } })
    for (path of ${JSON.stringify(paths)}) await import('${ROOT}/' + path)
    console.log(JSON.stringify(noted))`
  return run('node', ['--import', 'tsx', '--input-type=module', '-e', script], '') as Expression[]
}

/** The patterns that Python files of the product give to \`re\`, as JavaScript writes them. */
export function pythonExpressions(): Expression[] {
  const folders = [...FOLDERS, 'python'].map((folder) => join(ROOT, folder))
  const script = join(import.meta.dirname, 'find_patterns.py')
  const found = run('python3', [script, ROOT, ...folders], '') as Expression[]
  return found.map((one) => ({
    ...one,
    source: one.source.replaceAll('(?P<', '(?<'),
    language: 'Python',
  }))
}

/** What a program prints as JSON. */
export function run(command: string, args: readonly string[], input: string): unknown {
  const { stdout, stderr, status, error } = spawnSync(command, args, {
    cwd: ROOT,
    input,
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${error ?? ''} ${stderr}`)
  return JSON.parse(stdout) as unknown
}
