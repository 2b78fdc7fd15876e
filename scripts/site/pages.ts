import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A page of the site that is made from a Markdown file of the repository. */
export interface SourcePage {
  /** The path of its file in the repository. */
  readonly source: string
  /** Its path in the site. */
  readonly path: string
}

export interface Group {
  readonly title: string
  readonly pages: readonly SourcePage[]
}

const guide = (name: string): SourcePage => ({ source: `docs/${name}.md`, path: `${name}.html` })
const guides = (...names: string[]) => names.map(guide)

/** The groups of pages, in the order in which people need them. */
export function groupsOf(root: string): readonly Group[] {
  const home = { source: 'README.md', path: 'index.html' }
  return [
    {
      title: 'Start',
      pages: [
        home,
        ...guides('embedding', 'program', 'ai-sdk'),
        { source: 'examples/programs/README.md', path: 'examples/programs.html' },
        ...guides('command', 'config'),
      ],
    },
    {
      title: 'Write plugins',
      pages: guides(
        'write-a-provider',
        'write-an-extension',
        'write-a-feature',
        'write-a-tool',
        'settings',
        'hooks',
        'tags',
        'python',
        'testing',
        'packages',
      ),
    },
    {
      title: 'Agents',
      pages: guides('agents', 'many-agents', 'mcp', 'a2a', 'switching-providers', 'facts'),
    },
    { title: 'Serve', pages: guides('server', 'clients', 'operate') },
    { title: 'Protocols', pages: wirePages(root) },
    { title: 'Shipped plugins', pages: pluginPages(root) },
    {
      title: 'Project',
      pages: ['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG'].map((name) => ({
        source: `${name}.md`,
        path: `${name.toLowerCase()}.html`,
      })),
    },
  ]
}

function wirePages(root: string): readonly SourcePage[] {
  const names = readdirSync(join(root, 'docs')).filter((name) => /^wire-.*\.md$/.test(name))
  return names.sort().map((name) => guide(name.slice(0, -'.md'.length)))
}

function pluginPages(root: string): readonly SourcePage[] {
  return ['providers', 'extensions', 'features', 'tools'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .sort()
      .filter((name) => existsSync(join(root, kind, name, 'README.md')))
      .map((name) => ({ source: `${kind}/${name}/README.md`, path: `${kind}/${name}.html` })),
  )
}

/** The guides that no group has. */
export function forgottenGuides(root: string): readonly string[] {
  const known = new Set(groupsOf(root).flatMap(({ pages }) => pages.map(({ source }) => source)))
  const all = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return all.map((name) => `docs/${name}`).filter((source) => !known.has(source))
}
