import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Comment, parseSync, type Statement } from 'oxc-parser'

/** An exported thing of a package. */
export interface Entry {
  readonly name: string
  readonly kind: string
  /** Its TSDoc, as Markdown. */
  readonly doc: string
  /** Its declaration. Of overloads, all. */
  readonly code: string
  /** The package that declares it, if that is another one. */
  readonly from?: string
}

interface Module {
  readonly path: string
  readonly text: string
  readonly statements: readonly Statement[]
  readonly comments: readonly Comment[]
}

type Named = { readonly type: string; readonly name?: string; readonly value?: string }

const modules = new Map<string, Module>()

/** The exports of a declaration file, in alphabetical order. */
export function exportsOf(path: string): readonly Entry[] {
  const entries = new Map<string, Entry>()
  for (const entry of collect(moduleOf(path))) entries.set(entry.name, entry)
  return [...entries.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}

function moduleOf(path: string): Module {
  const known = modules.get(path)
  if (known) return known
  const text = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, text)
  const made = { path, text, statements: program.body as readonly Statement[], comments }
  modules.set(path, made)
  return made
}

function collect(module: Module): readonly Entry[] {
  return module.statements.flatMap((statement): readonly Entry[] => {
    if (statement.type === 'ExportAllDeclaration') {
      return collect(moduleOf(fileOf(module, statement.source.value)))
    }
    if (statement.type !== 'ExportNamedDeclaration') return []
    if (statement.declaration) {
      const name = nameOf(statement)
      return name === undefined ? [] : [entryOf(module, name, name)]
    }
    const source = statement.source?.value
    return statement.specifiers.map(({ local, exported }) =>
      reexported(module, source, textOfName(local), textOfName(exported)),
    )
  })
}

function reexported(
  module: Module,
  source: string | undefined,
  local: string,
  name: string,
): Entry {
  if (source === undefined) return entryOf(module, local, name)
  if (source.startsWith('.')) return entryOf(moduleOf(fileOf(module, source)), local, name)
  return { name, kind: 'export', doc: '', code: '', from: source }
}

/** The entry of a declaration, which may stand in a module that this one imports. */
function entryOf(module: Module, local: string, name: string): Entry {
  const own = module.statements.filter((statement) => nameOf(statement) === local)
  const [first] = own
  if (!first) return elsewhere(module, local, name)
  const code = own.map(({ start, end }) => module.text.slice(start, end)).join('\n')
  return { name, kind: kindOf(first), doc: docOf(module, first), code: shown(code) }
}

function elsewhere(module: Module, local: string, name: string): Entry {
  for (const statement of module.statements) {
    if (statement.type !== 'ImportDeclaration' && statement.type !== 'ExportNamedDeclaration')
      continue
    const found = (statement.specifiers as readonly { readonly local: Named }[]).find(
      (specifier) => outer(specifier) === local,
    )
    const source = statement.source?.value
    if (found && source) return reexported(module, source, inner(found), name)
  }
  const all = module.statements.find(({ type }) => type === 'ExportAllDeclaration')
  if (all?.type === 'ExportAllDeclaration') {
    return entryOf(moduleOf(fileOf(module, all.source.value)), local, name)
  }
  throw new Error(`${module.path} does not declare "${local}".`)
}

/** The name in this module, and in the module from which it comes. */
const outer = (specifier: { local: Named; exported?: Named }) =>
  textOfName(specifier.exported ?? specifier.local)
const inner = (specifier: { local: Named; imported?: Named }) =>
  textOfName(specifier.imported ?? specifier.local)

const textOfName = ({ name, value }: Named): string => name ?? value ?? ''

function fileOf({ path }: Module, source: string): string {
  const file = join(dirname(path), source.replace(/\.[jt]s$/, '.d.ts'))
  if (existsSync(file)) return file
  throw new Error(`${path} refers to ${source}, which is not built. Run "npm run build".`)
}

function declarationOf(statement: Statement): Statement {
  return statement.type === 'ExportNamedDeclaration' && statement.declaration
    ? statement.declaration
    : statement
}

function nameOf(statement: Statement): string | undefined {
  const declared = declarationOf(statement)
  if (declared.type === 'VariableDeclaration') {
    const id = declared.declarations[0]?.id
    return id?.type === 'Identifier' ? id.name : undefined
  }
  return 'id' in declared && declared.id?.type === 'Identifier' ? declared.id.name : undefined
}

const KINDS: { readonly [type: string]: string } = {
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  ClassDeclaration: 'class',
  VariableDeclaration: 'constant',
}

function kindOf(statement: Statement): string {
  return KINDS[declarationOf(statement).type] ?? 'function'
}

/** The comment that ends right before a statement. */
function docOf({ comments, text }: Module, { start }: Statement): string {
  const comment = comments.findLast(({ end }) => end <= start)
  if (!comment?.value.startsWith('*') || text.slice(comment.end, start).trim() !== '') return ''
  const lines = comment.value.slice(1).split('\n')
  return lines
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/@throws /g, '\n\nThrows ')
    .replaceAll(/@param (\w+) /g, '\n\n`$1`: ')
    .replaceAll(/ ?\b[A-Z]{2}-\d\d,?(?= |\.?$)/gm, '')
    .trim()
}

/** A declaration without its private members and the words that every one begins with. */
function shown(code: string): string {
  return code
    .replaceAll(/^\s*(#private;|private .*;)\n/gm, '')
    .replaceAll(/^export (declare )?/gm, '')
}
