import type { Context } from '@braidwork/plugin'
import type { Gathering, StreamFormat } from './format.ts'
import { limitsOf, tooMuch } from './limits.ts'

/** Answers with fewer items than this need no check. */
export const MANY = 100

/** Enforces `limits.answer_parts` on items that are kept until the end, which the host cannot see. */
export function checkHeld(
  { held }: Gathering,
  { profile }: StreamFormat,
  { config }: Context,
): void {
  const limits = limitsOf(config)
  if (held > limits.answer_parts) throw tooMuch(profile, limits, 'answer_parts')
}

/** The collected part of this request's answer. */
export function gatheringIn({ local }: Context): Gathering | undefined {
  return local.get('answer') as Gathering | undefined
}

export function gather(context: Context, format: StreamFormat): Gathering {
  const gathering = format.gather(context)
  const { local } = context
  local.set('answer', gathering)
  return gathering
}
