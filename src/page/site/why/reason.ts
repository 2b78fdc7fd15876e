import { t, type Words } from '../words/index.ts'
import { type Explained, type Obstacle, RULES, type Rule } from './documents.ts'

const WORDS_OF: {
  readonly [rule in Exclude<Rule, 'own verdict' | 'other provider'>]: keyof Words
} = {
  provider: 'whyRule_provider',
  forced: 'whyRule_forced',
  tags: 'whyRule_tags',
  'missing tags': 'whyRule_missingTags',
  'forbidden tags': 'whyRule_forbiddenTags',
  'off by default': 'whyRule_offByDefault',
  disabled: 'whyRule_disabled',
  threw: 'whyRule_threw',
}

/** Why a plugin is on or off, as a sentence. */
export function reasonText({ rule, on, kind, tags }: Explained): string {
  if (rule === 'own verdict') return t(on ? 'whyRule_ownVerdictOn' : 'whyRule_ownVerdictOff')
  if (rule === 'other provider') {
    return t(kind === 'provider' ? 'whyRule_otherProvider' : 'whyRule_servesOther')
  }
  const decisive = tags.filter(({ need, present }) =>
    rule === 'missing tags' ? need === 'required' && !present : need === 'forbidden' && present,
  )
  return t(WORDS_OF[rule], { tags: listText(decisive.map(({ tag }) => tag)) })
}

/** The round that judged a plugin. */
export function roundText({ round }: Pick<Explained, 'round'>): string {
  return round > 0 ? t('whyRound', { round }) : t('whyNoRound')
}

/** Why no change turns a plugin on, in sentences. */
export function obstacleTexts({ rule, tags, unprovided, reads }: Obstacle): readonly string[] {
  if (rule === 'threw') return [t('whyThrows')]
  if (rule === 'forbidden tags') return [t('whyStays_forbidden', { tags: listText(tags) })]
  if (unprovided.length > 0) return [t('whyUnprovided', { tags: listText(unprovided) })]
  if (rule === 'missing tags') return [t('whyStays_missing', { tags: listText(tags) })]
  return reads.length > 0 ? [t('whyReads')] : []
}

/** Why a tool is not offered: a rule in the words of the page, or what the server says. */
export function toolReason(reason: string): string {
  const rule = RULES.find((name) => name === reason)
  if (rule === undefined) return reason
  if (rule === 'own verdict') return t('whyRule_ownVerdictOff')
  if (rule === 'other provider') return t('whyRule_servesOther')
  return t(WORDS_OF[rule], { tags: '' }).replace(/: \.$/, '.')
}

/** Names in quotes, with commas. */
export function listText(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ')
}
