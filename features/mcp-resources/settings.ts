import type { Config } from '@braidwork/plugin'

/** The defaults, which are those of the schema. */
const MOST_CHARACTERS = 20_000
/** The most resources that a config names. */
const MOST_RESOURCES = 50

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    resources: {
      type: 'array',
      title: 'Resources',
      'x-i18n': {
        de: {
          title: 'Ressourcen',
          description: 'Ressourcen, die das Modell sieht, nach Server und URI',
        },
      },
      description: 'Resources that the model is shown, by server and URI',
      maxItems: MOST_RESOURCES,
      items: {
        type: 'object',
        properties: {
          server: {
            type: 'string',
            minLength: 1,
            title: 'Server',
            'x-i18n': {
              de: {
                title: 'Server',
                description: 'Name eines MCP-Servers in den Einstellungen des Werkzeugs „mcp“',
              },
            },
            description: 'Name of an MCP server in the settings of the tool "mcp"',
          },
          uri: {
            type: 'string',
            minLength: 1,
            title: 'URI',
            'x-i18n': { de: { title: 'URI', description: 'URI der Ressource' } },
            description: 'URI of the resource',
          },
        },
        required: ['server', 'uri'],
        additionalProperties: false,
      },
    },
    max_characters: {
      type: 'integer',
      title: 'Characters',
      'x-i18n': {
        de: { title: 'Zeichen', description: 'Höchstzahl der Zeichen aller Ressourcen zusammen' },
      },
      minimum: 100,
      maximum: 1_000_000,
      default: MOST_CHARACTERS,
      description: 'Most characters of all resources together',
    },
  },
  additionalProperties: false,
} as const

export interface ResourceSettings {
  readonly resources: readonly { readonly server: string; readonly uri: string }[]
  readonly max_characters: number
}

/** Reads the settings. The host has checked them. */
export function readSettings({ settings }: Config): ResourceSettings {
  const own = (settings?.['mcp-resources'] ?? {}) as Partial<ResourceSettings>
  return { resources: own.resources ?? [], max_characters: own.max_characters ?? MOST_CHARACTERS }
}
