import type { Config } from '@braidwork/plugin'

export interface ThinkTags {
  /** Names of the tags, without angle brackets. */
  readonly names: readonly string[]
  /** Whether an answer begins inside a tag. */
  readonly startsOpen: boolean
}

const NAMES = ['think', 'thinking', 'reasoning']

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    tags: {
      type: 'array',
      title: 'Tags',
      description: 'Names of the tags that contain reasoning',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_:-]*$', maxLength: 64 },
      minItems: 1,
      default: NAMES,
    },
    starts_open: {
      type: 'boolean',
      title: 'Starts open',
      description:
        'Answers begin inside a tag, because the prompt already contains the opening tag',
      default: false,
    },
  },
  additionalProperties: false,
} as const

/** Reads the settings. The host has already validated them. */
export function readSettings(config: Config): ThinkTags {
  const { tags = NAMES, starts_open } = config.settings?.['think-tags'] ?? {}
  return { names: tags as readonly string[], startsOpen: starts_open === true }
}
