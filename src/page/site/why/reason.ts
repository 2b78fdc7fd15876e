import { listText, RULE_WORDS, toolReason } from '../reasons/index.ts'
import { t } from '../words/index.ts'
import type { Explained, Obstacle } from './documents.ts'

/** Why a plugin is on or off, as a sentence. */
export function reasonText(explained: Explained): string {
  const { rule, on, kind, tags } = explained
  const told = toolReason(explained)
  if (told !== undefined) return told
  if (rule === 'own verdict') return t(on ? 'whyRule_ownVerdictOn' : 'whyRule_ownVerdictOff')
  if (rule === 'other provider') {
    return t(kind === 'provider' ? 'whyRule_otherProvider' : 'whyRule_servesOther')
  }
  const decisive = tags.filter(({ need, present }) =>
    rule === 'missing tags' ? need === 'required' && !present : need === 'forbidden' && present,
  )
  return t(RULE_WORDS[rule], { tags: listText(decisive.map(({ tag }) => tag)) })
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
