import type { Kind } from '@braidwork/plugin'
import type { Language, Wanted } from './wanted.ts'

/** What a template has to know of a plugin. */
export interface Facts extends Wanted {
  /** The version of Braidwork that the package depends on. */
  readonly version: string
  /** The tags that an extension or a feature requires. */
  readonly tags: readonly string[]
}

const DESCRIPTIONS: { readonly [K in Kind]: string } = {
  provider: 'Models of a server with the Chat Completions API',
  extension: 'Straightens the quotes in answers',
  feature: 'Asks for answers in a language',
  tool: 'Counts the words and the characters of a text',
}

const READS_ONLY = { is_read_only: true, is_concurrency_safe: true, is_destructive: false }

/** More members of the plugin in the manifest, among them what `braidwork plugins add` tells of it. */
const MANIFESTS = {
  provider: ({ name }: Wanted) => ({
    tags: [name, 'text', 'streaming', 'tools'],
    hooks: ['getModels', 'getTags', 'init', 'toNative', 'stream'],
    variables: [`${variableOf(name)}_API_KEY`],
    network: ['*'],
  }),
  extension: () => ({ defaultEnabled: false, hooks: ['fromNative'], variables: [], network: [] }),
  feature: () => ({ defaultEnabled: false, hooks: ['editMessages'], variables: [], network: [] }),
  tool: ({ name }: Wanted) => ({
    hooks: ['getToolSchemas', 'executeTool'],
    tools: [{ name: functionOf(name), safety: READS_ONLY }],
    variables: [],
    network: [],
  }),
} as const satisfies { readonly [K in Kind]: (wanted: Wanted) => object }

/** Packages that a template needs besides those of Braidwork. */
const DEPENDENCIES: { readonly [template: string]: object } = {
  'typescript/provider': { 'eventsource-parser': '^3.1.1' },
}

/** The values of the placeholders in a template. */
export function placeholders(facts: Facts): { readonly [name: string]: string } {
  const { kind, name, version } = facts
  return {
    kind,
    name,
    version,
    package: packageName(name),
    module: moduleName(name),
    function: functionOf(name),
    variable: variableOf(name),
    title: titleOf(name),
    description: DESCRIPTIONS[kind],
    use: useOf(facts),
  }
}

/** Adds to a package.json what only some templates have. */
export function completePackage(text: string, facts: Facts): string {
  const json = JSON.parse(text) as {
    readonly braidwork: { readonly plugins: readonly object[] }
    readonly dependencies?: object
  }
  const more = DEPENDENCIES[`${facts.language}/${facts.kind}`]
  const plugins = json.braidwork.plugins.map((one) => ({
    ...one,
    ...MANIFESTS[facts.kind](facts),
  }))
  const complete = {
    ...json,
    braidwork: { ...json.braidwork, plugins },
    ...(more ? { dependencies: { ...json.dependencies, ...more } } : {}),
  }
  return `${JSON.stringify(complete, null, 2)}\n`
}

/** The name of the npm package and of the Python distribution. */
export function packageName(name: string): string {
  return `braidwork-${name}`
}

/** The name of the Python package, a folder. */
export function moduleName(name: string): string {
  return packageName(name).replaceAll('-', '_')
}

/** A verb before the name: the name alone may be a keyword of Python. */
function functionOf(name: string): string {
  return `run_${name.replaceAll('-', '_')}`
}

function variableOf(name: string): string {
  return name.replaceAll('-', '_').toUpperCase()
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

function useOf({ kind, name, language, provider }: Facts): string {
  const lists = { typescript: 'requiredTags', python: 'required_tags' } as const satisfies {
    [L in Language]: string
  }
  const needs =
    provider === undefined
      ? ''
      : `\n\nIt is on with the provider "${provider}", because it requires all tags of it. Remove those that it does not need from \`${lists[language]}\`.`
  return `${USES[kind](name)}${needs}`
}

const TRUST =
  'The command uses the config of a folder only once you trust it: run `npx braidwork trust` there. After a change it is `npx braidwork trust --update`.'

const USES: { readonly [K in Kind]: (name: string) => string } = {
  provider: (name) =>
    `In \`braidwork.jsonc\`:\n\`\`\`json\n{ "provider": "${name}", "settings": { "${name}": { "base_url": "http://127.0.0.1:8080/v1" } } }\n\`\`\`\n\n${TRUST}\n\nThe environment variable \`${variableOf(name)}_API_KEY\` holds the key, if the server needs one.`,
  extension: enabling,
  feature: (name) =>
    `${enabling(name)}\n\n\`settings.${name}.language\` is the language, by default English.`,
  tool: (name) =>
    `With a provider that has the tag \`tools\`, the model is offered \`${functionOf(name)}\`.`,
}

function enabling(name: string): string {
  return `It is off until a config enables it. In \`braidwork.jsonc\`:\n\`\`\`json\n{ "enabled_plugins": { "add": ["${name}"] } }\n\`\`\`\n\n${TRUST}`
}
