import { join } from 'node:path'
import { PRESETS } from '../providers/openai-compatible/presets.ts'
import type { ShippedPlugin } from './shipped-plugins.ts'

export const TAGS_PATH = join(import.meta.dirname, '..', 'docs', 'tags.md')

/** What each tag of a shipped plugin says, beside those that are names of providers and presets. */
const MEANINGS: { readonly [tag: string]: string } = {
  'chat-completions': 'speaks the chat completions API',
  files: 'takes documents',
  'history-repair': 'takes histories with open calls and stray results, and repairs them',
  messages: 'speaks the messages API',
  'parallel-tools': 'may call several tools in one answer',
  'prompt-caching': 'caches the beginning of a prompt where it is marked',
  'provider-tools': 'runs tools of its own in this config',
  reasoning: 'this model reasons before it answers',
  responses: 'speaks the responses API',
  'scripted-format': 'speaks the format of the scripted provider',
  streaming: 'answers as a stream',
  'structured-output': 'keeps to a JSON Schema that it is given',
  text: 'answers in text',
  tools: 'calls tools',
  vision: 'takes images',
}

const INTRO = `<!-- Made by "npm run docs" from the plugins and their manifests; do not edit by hand. -->
# Tags
A plugin is on where all tags that it needs are there and none that it forbids. These are the tags of the
shipped plugins; a plugin of yours may use them, and any of its own. \`braidwork explain\` says which are there
for a config, and who provides them.
`

/** A tag, and who speaks of it. */
interface TagRow {
  readonly tag: string
  readonly providedBy: readonly ShippedPlugin[]
  readonly neededBy: readonly ShippedPlugin[]
  readonly forbiddenBy: readonly ShippedPlugin[]
}

/** docs/tags.md */
export function tagsPage(plugins: readonly ShippedPlugin[]): string {
  const rows = rowsOf(plugins)
  const untagged = plugins.filter((plugin) => tagsOf(plugin).length === 0)
  return [
    INTRO,
    '```mermaid',
    ...drawing(rows),
    '```\n',
    '| tag | says | provided by | needed by | forbidden by |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(tableLine),
    '\nA provider may have a tag with some of its models, settings or servers only; its README says with which.',
    `Beside any tags: ${namesOf(untagged)}.\n`,
  ].join('\n')
}

function rowsOf(plugins: readonly ShippedPlugin[]): readonly TagRow[] {
  const tags = new Set(plugins.flatMap(tagsOf))
  return [...tags].toSorted().map((tag) => ({
    tag,
    providedBy: plugins.filter(({ provides }) => provides.includes(tag)),
    neededBy: plugins.filter(({ needs }) => needs.includes(tag)),
    forbiddenBy: plugins.filter(({ forbids }) => forbids.includes(tag)),
  }))
}

function tagsOf({ provides, needs, forbids }: ShippedPlugin): readonly string[] {
  return [...provides, ...needs, ...forbids]
}

/** Who is on because of whom: the tags that somebody needs or forbids, between both sides. */
function drawing(rows: readonly TagRow[]): readonly string[] {
  const asked = rows.filter(({ neededBy, forbiddenBy }) => neededBy.length + forbiddenBy.length > 0)
  return [
    'flowchart LR',
    ...asked.flatMap(({ tag, providedBy, neededBy, forbiddenBy }) => [
      ...providedBy.map(({ name }) => `  ${name} --> tag-${tag}([${tag}])`),
      ...neededBy.map(({ name }) => `  tag-${tag} --> ${name}`),
      ...forbiddenBy.map(({ name }) => `  tag-${tag} --x ${name}`),
    ]),
  ]
}

function tableLine(row: TagRow): string {
  const speakers = [row.providedBy, row.neededBy, row.forbiddenBy].map(namesOf)
  return `| ${[`\`${row.tag}\``, meaningOf(row), ...speakers].join(' | ')} |`
}

/** @throws Error for a tag of which this page says nothing */
function meaningOf({ tag, providedBy }: TagRow): string {
  if (providedBy.some(({ name }) => name === tag)) return 'this provider is asked'
  if (Object.hasOwn(PRESETS, tag)) return 'the server of this preset is asked'
  const meaning = MEANINGS[tag]
  if (meaning !== undefined) return meaning
  throw new Error(`scripts/tags-page.ts does not say what the tag "${tag}" means.`)
}

function namesOf(plugins: readonly ShippedPlugin[]): string {
  return plugins.map(({ name, folder }) => `[${name}](../${folder}/README.md)`).join(', ')
}
