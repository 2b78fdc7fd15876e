import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { colored } from './code.ts'
import { escaped } from './html.ts'
import type { Rendered, Section } from './markdown.ts'
import { type Entry, exportsOf } from './reference.ts'

/** The packages in the reference, in the order in which people need them, and their folders. */
const FOLDERS = [
  ...[
    'plugin',
    'core',
    'agent',
    'testing',
    'server',
    'store',
    'page',
    'a2a',
    'ai-sdk',
    'request-guard',
  ].map((name) => `src/${name}`),
  'providers/model-api',
]

export interface ReferencePage extends Rendered {
  readonly path: string
}

/** The pages of the reference, one for each package. It is made from the built `.d.ts` files and their TSDoc. */
export function referencePages(root: string): readonly ReferencePage[] {
  const packages = FOLDERS.map((folder) => packageIn(root, folder))
  const owners = new Map<string, string>()
  for (const { path, entries } of packages.toReversed()) {
    for (const { name, from } of entries) if (from === undefined) owners.set(name, path)
  }
  return packages.map(({ name, path, about, entries }) => ({
    path,
    title: name,
    html: [
      `<h1>${escaped(name)}</h1>\n<p>${escaped(about)}</p>`,
      ...entries.map((entry) => entryHtml(entry, path, owners)),
    ].join('\n'),
    sections: [{ id: '', title: name, text: about }, ...entries.map(sectionOf)],
  }))
}

interface Package {
  readonly name: string
  readonly path: string
  readonly about: string
  readonly entries: readonly Entry[]
}

function packageIn(root: string, folder: string): Package {
  const manifest: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const { name, description } = manifest as { readonly name: string; readonly description: string }
  const path = `api/${name.slice(name.indexOf('/') + 1)}.html`
  const entries = exportsOf(join(root, folder, 'dist', 'index.d.ts'))
  return { name, path, about: description, entries }
}

function sectionOf({ name, doc, code }: Entry): Section {
  return { id: name, title: name, text: `${doc} ${code}` }
}

function entryHtml(entry: Entry, page: string, owners: ReadonlyMap<string, string>): string {
  const { name, kind, doc, code, from } = entry
  const head = `<h2 id="${name}">${name} <small>${kind}</small> <a class="anchor" href="#${name}" aria-label="Link to ${name}">#</a></h2>`
  if (from !== undefined) {
    const owner = owners.get(name)
    const where = owner ? `<a href="../${owner}#${name}">${escaped(from)}</a>` : escaped(from)
    return `${head}\n<p>From ${where}.</p>`
  }
  const block = linked(colored(code, 'ts'), { name, page, owners })
  return `${head}\n${marked.parse(doc, { async: false })}<figure class="code"><pre tabindex="0" role="group" aria-label="${name}"><code>${block}</code></pre></figure>`
}

interface Place {
  readonly name: string
  readonly page: string
  readonly owners: ReadonlyMap<string, string>
}

/** Links the names of exported things in colored code, outside of its tags and comments. */
function linked(html: string, { name, page, owners }: Place): string {
  const pieces = html.split(/(<span class="(?:comment|string)">[^<]*<\/span>|<[^>]*>)/)
  const link = (word: string) => {
    const owner = /^[A-Z]/.test(word) && word !== name ? owners.get(word) : undefined
    if (owner === undefined) return word
    return `<a href="${owner === page ? '' : `../${owner}`}#${word}">${word}</a>`
  }
  return pieces
    .map((piece) => (piece.startsWith('<') ? piece : piece.replaceAll(/\b[A-Za-z]\w*\b/g, link)))
    .join('')
}
