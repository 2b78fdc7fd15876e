import type { Config } from '@braidwork/plugin'

export interface ThinkTags {
  /** Names of tags, without brackets. */
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
      description: 'Names of the tags whose content is reasoning',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_:-]*$', maxLength: 64 },
      minItems: 1,
      default: NAMES,
    },
    starts_open: {
      type: 'boolean',
      title: 'Starts open',
      description: 'Answers begin inside a tag, which the model was given already',
      default: false,
    },
  },
  additionalProperties: false,
} as const

/** The settings, which the host has checked. */
export function readSettings(config: Config): ThinkTags {
  const { tags = NAMES, starts_open } = config.settings?.['think-tags'] ?? {}
  return { names: tags as readonly string[], startsOpen: starts_open === true }
}
