import type { Rule } from './settings.ts'

/** The first rule that matches one of the texts. */
export function findRule(rules: readonly Rule[], texts: readonly string[]): Rule | undefined {
  return rules.find(({ pattern }) => texts.some((text) => pattern.matcher(text).find()))
}

/** The error for a rule that stops. It names the rule and quotes nothing of the text. */
export function stopError({ name, on, message }: Rule): Error {
  const what =
    on === 'request' ? 'The request was stopped before it was sent' : 'The answer was stopped'
  const reason = message === undefined ? '' : `: ${message}`
  return Object.assign(new Error(`${what} by rule "${name}" of extension "guard"${reason}`), {
    code: 'CONTENT_FILTERED',
  })
}

export function warningOf({ name, on, message }: Rule): string {
  const reason = message === undefined ? '' : `: ${message}`
  return `Rule "${name}" of extension "guard" matches the ${on}${reason}`
}
