import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { build } from 'esbuild'
import { type Rendered, render } from './markdown.ts'
import { groupsOf, type SourcePage } from './pages.ts'
import { referencePages } from './reference-page.ts'
import { searchIndex } from './search-index.ts'
import { addressOf, type NavigationGroup, pageHtml } from './template.ts'

const BROWSER = join(import.meta.dirname, 'browser')

export type Page = Rendered & { readonly path: string }

/** Writes the site into a folder, whose content it replaces. @throws Error for a link that leads nowhere */
export async function buildSite(root: string, folder: string) {
  const groups = groupsOf(root)
  const sources = groups.flatMap(({ pages }) => pages)
  const copied = new Set<string>()
  const known = new Map(sources.map(({ source, path }) => [source, path]))
  const guides = sources.map((page) => rendered(root, page, { known, copied }))
  const reference = referencePages(root)
  const all: readonly Page[] = [...guides, ...reference]
  checkLinks(all)
  const navigation = navigationOf(groups, all, reference)

  await rm(folder, { recursive: true, force: true })
  for (const page of all) await write(folder, page.path, pageHtml(page, navigation))
  for (const path of copied) await cp(join(root, path), join(folder, 'files', path))
  await cp(join(BROWSER, 'site.css'), join(folder, 'site.css'))
  await buildScript(folder)
  const index = searchIndex(all)
  await write(folder, 'search-index.js', index)
  return { pages: all.length, bytes: index.length }
}

/** Bundles the script of the pages. It is no module, so that it runs in pages from a file system too. */
async function buildScript(folder: string): Promise<void> {
  const entryPoints = [join(BROWSER, 'site.ts')]
  const outfile = join(folder, 'site.js')
  await build({ entryPoints, outfile, bundle: true, format: 'iife', target: 'es2022' })
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

interface Places {
  /** The pages of the site by their files in the repository. */
  readonly known: ReadonlyMap<string, string>
  /** Other files that pages refer to. */
  readonly copied: Set<string>
}

function rendered(root: string, { source, path }: SourcePage, { known, copied }: Places): Page {
  const markdown = readFileSync(join(root, source), 'utf8')
  const page = render(markdown, (link) => {
    if (/^(https?:|mailto:|#)/.test(link)) return link
    const [file = '', anchor] = link.split('#')
    const target = posix.join(posix.dirname(source), file)
    const hash = anchor === undefined ? '' : `#${anchor}`
    const page = known.get(target)
    if (page !== undefined) return addressOf(page, path) + hash
    if (!existsSync(join(root, target)))
      throw new Error(`${source} links to ${link}: no such file.`)
    copied.add(target)
    return addressOf(`files/${target}`, path) + hash
  })
  return { ...page, path }
}

/** @throws Error for a link to a section that does not exist */
export function checkLinks(pages: readonly Page[]): void {
  const ids = new Map(pages.map(({ path, sections }) => [path, sections.map(({ id }) => id)]))
  for (const { path, html } of pages) {
    for (const [, link = ''] of html.matchAll(/<a (?:class="anchor" )?href="([^":]*#[^"]*)"/g)) {
      const [file = '', anchor = ''] = link.split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (ids.get(target)?.includes(decodeURIComponent(anchor)) === false) {
        throw new Error(`${path} links to ${link}: the page has no such section.`)
      }
    }
  }
}

function navigationOf(
  groups: ReturnType<typeof groupsOf>,
  pages: readonly Page[],
  reference: readonly Page[],
): readonly NavigationGroup[] {
  const titles = new Map(pages.map(({ path, title }) => [path, title]))
  const named = groups.map((group) => ({
    title: group.title,
    pages: group.pages.map(({ path }) => ({ path, title: titles.get(path) ?? path })),
  }))
  const project = named.length - 1
  return [
    ...named.slice(0, project),
    { title: 'Reference', pages: reference },
    ...named.slice(project),
  ]
}
