import { join } from 'node:path'
import { PRESETS } from '../providers/openai-compatible/presets.ts'
import type { ShippedPlugin } from './shipped-plugins.ts'

export const TAGS_PATH = join(import.meta.dirname, '..', 'docs', 'tags.md')

/** The meaning of each tag of the shipped plugins, except tags that are names of providers and presets. */
const MEANINGS: { readonly [tag: string]: string } = {
  'chat-completions': 'uses the Chat Completions API',
  files: 'accepts documents',
  'history-repair': 'repairs a history whose tool calls and results do not match',
  messages: 'uses the Messages API',
  'own-compaction':
    'the model API compacts long conversations by itself with this config, so the runtime does not',
  'parallel-tools': 'can call several tools in one answer',
  'prompt-caching': 'caches the beginning of a prompt up to a marker',
  'provider-tools': 'runs tools on its own servers with this config',
  reasoning: 'the model reasons before it answers',
  responses: 'uses the Responses API',
  'result-shortening':
    'shows the model long results of tools in part; the host offers the tool `read_result` for the rest',
  'scripted-format': 'uses the format of the scripted provider',
  streaming: 'can stream its answers',
  'structured-output': 'can answer in JSON that follows a given JSON Schema',
  text: 'answers with text',
  tools: 'can call tools',
  vision: 'accepts images',
}

const INTRO = `<!-- Made by "npm run docs" from the plugins and their manifests; do not edit by hand. -->
# Tags
A plugin is on when every tag that it needs is provided and no tag that it forbids is. This page lists the tags
of the shipped plugins. Your plugins may use them, and define others. \`braidwork explain\` lists the tags of a
config and the plugins that provide them.

## How tags decide
A tag is a word. The provider provides some, which may depend on the model and the settings, and so may every other
plugin (\`getTags\`). A plugin names what it needs in \`requiredTags\` and what it cannot work with in \`forbiddenTags\`.
The host works in rounds:

1. It gathers the tags of the provider and of all plugins that are still on.
2. It judges every plugin by these tags. All plugins of a round are judged by the same ones.
3. Plugins that do not fit are switched off. If there were any, the next round begins, without their tags.

A plugin that is off stays off. So the order of plugins does not matter, two plugins that forbid each other are both
off, and a plugin whose helper is off goes off one round later:

\`\`\`mermaid
flowchart LR
  scripted-mini --> tag-text([text])
  tag-text --> speaker
  speaker --> tag-speech([speech])
  tag-tools([tools]) --> phone
  phone --> tag-calls([calls])
  tag-calls --> call-log
\`\`\`

The model \`scripted-mini\` has no tag \`tools\`. In the first round \`phone\` goes off, which needs it. In the second round
\`call-log\` goes off, because nobody provides \`calls\` any more. \`speaker\` stays on.

Require the tag of what your plugin really needs, such as \`tools\`, and not the name of a provider: then it works with
the providers of others too. Give a tag of your own the name of what it offers, and say in your README what it means.

## The tags of the shipped plugins
`

/** A tag with the plugins that provide, need or forbid it. */
interface TagRow {
  readonly tag: string
  readonly providedBy: readonly ShippedPlugin[]
  readonly neededBy: readonly ShippedPlugin[]
  readonly forbiddenBy: readonly ShippedPlugin[]
}

/** The text of docs/tags.md. */
export function tagsPage(plugins: readonly ShippedPlugin[]): string {
  const rows = rowsOf(plugins)
  const untagged = plugins.filter((plugin) => tagsOf(plugin).length === 0)
  return [
    INTRO,
    '```mermaid',
    ...drawing(rows),
    '```\n',
    '| tag | meaning | provided by | needed by | forbidden by |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(tableLine),
    '\nA provider may have a tag only with some models, settings or servers. The README of a provider says which.\n',
    `These plugins neither provide, need nor forbid a tag: ${namesOf(untagged)}.\n`,
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

/**
 * A diagram of the tags that some plugin needs or forbids, between the plugins that provide them and those that need
 * them.
 */
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

/** @throws Error for a tag without a described meaning */
function meaningOf({ tag, providedBy }: TagRow): string {
  if (providedBy.some(({ name }) => name === tag)) return 'this provider answers the request'
  if (Object.hasOwn(PRESETS, tag)) return 'the server of this preset answers the request'
  const meaning = MEANINGS[tag]
  if (meaning !== undefined) return meaning
  throw new Error(`scripts/tags-page.ts does not say what the tag "${tag}" means.`)
}

function namesOf(plugins: readonly ShippedPlugin[]): string {
  return plugins.map(({ name }) => name).join(', ')
}
