import { type ConfigLayer, createHost, type Host, type SettingsFormat } from '@braidwork/core'
import { cpuOf, inTurns, type Row } from './measure.ts'

type Plugin = { readonly kind: string; readonly name: string; readonly [member: string]: unknown }

const PROVIDER: Plugin = {
  kind: 'provider',
  name: 'p',
  stream: () => [],
  getModels: () => ['m', 'n'],
  getTags: () => ['text', 'tools'],
}

const KINDS = ['extension', 'feature', 'tool'] as const
const REPEATS = 100

/** Settings as plugins have them: plain ones, a secret, a list, a group, one of several, and a rule. */
const schemaOf = (title: string) => ({
  type: 'object',
  title,
  additionalProperties: false,
  properties: {
    url: { type: 'string', format: 'uri', title: 'Address', default: 'https://example.org' },
    key: { type: 'string', writeOnly: true, title: 'Key' },
    size: { $ref: '#/$defs/size', title: 'Size' },
    on: { type: 'boolean', default: true },
    mode: { enum: ['local', 'remote'], default: 'local' },
    words: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
    stop: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    group: { type: 'object', properties: { inner: { type: 'number', default: 0.5 } } },
  },
  $defs: { size: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
  if: { properties: { mode: { const: 'remote' } }, required: ['mode'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { host: { type: 'string' } } },
})

/** Plugins of all kinds, one in five of which reads the config, and one in five adds to the form. */
function plugins(count: number): Plugin[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: KINDS[at % KINDS.length] ?? 'tool',
    name: `plugin-${at}`,
    requiredTags: ['text'],
    getTags: () => [`tag-${at}`],
    configSchema: schemaOf(`Plugin ${at}`),
    ...(at % 5 === 0 ? { isEnabled: (config: ConfigLayer) => config.seed !== 7 } : {}),
    ...(at % 5 === 1
      ? {
          getUiElements: (_config: ConfigLayer, { models }: { models: readonly string[] }) => [
            { id: 'preferred', kind: 'setting', title: 'Preferred', schema: { enum: models } },
          ],
        }
      : {}),
  }))
}

/** A config that sets some of it; each time another object, as requests have it. */
function config(): ConfigLayer {
  return { temperature: 0.5, settings: { 'plugin-3': { size: 20, stop: ['x'], key: 'secret' } } }
}

/** The CPU that a form takes, warm: the document, and what other forms are made of it. */
export async function settings(): Promise<readonly Row[]> {
  const hosts = await Promise.all(
    [10, 50, 100].map(async (count) => {
      const host = await createHost({ plugins: [PROVIDER, ...plugins(count)] })
      return { what: `${count} plugins`, run: () => ask(host) }
    }),
  )
  const host = await createHost({ plugins: [PROVIDER, ...plugins(50)] })
  const formats = ['rjsf', 'valves', 'mcp', 'vscode'] as const
  const views = formats.map((format) => ({
    what: `50 plugins, ${format}`,
    run: () => ask(host, format),
  }))
  const times = await inTurns([...hosts, ...views], cpuOf)
  return [...times].map(([what, value]) => {
    return { group: 'settings form, CPU', what, value: value / REPEATS / 1000, unit: 'ms' }
  })
}

async function ask(host: Host, format?: SettingsFormat): Promise<void> {
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    await (format ? host.uiSchema(config(), { format }) : host.uiSchema(config()))
  }
}
