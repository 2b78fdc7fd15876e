import type { Words } from '../words/index.ts'

/** The names of the words for the rules that turn a plugin on or off, but for those that mean more than one thing. */
export const RULE_WORDS = {
  provider: 'whyRule_provider',
  forced: 'whyRule_forced',
  tags: 'whyRule_tags',
  'missing tags': 'whyRule_missingTags',
  'forbidden tags': 'whyRule_forbiddenTags',
  'off by default': 'whyRule_offByDefault',
  disabled: 'whyRule_disabled',
  threw: 'whyRule_threw',
} as const satisfies { readonly [rule: string]: keyof Words }
