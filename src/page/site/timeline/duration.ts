import { numberText, t } from '../words/index.ts'

/** A duration in words. @param ms in milliseconds */
export function durationText(ms: number): string {
  return ms < 1000
    ? t('milliseconds', { count: Math.round(ms) })
    : t('seconds', { count: numberText(ms / 1000, 1) })
}
