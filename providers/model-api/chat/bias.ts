import type { Context, JsonObject } from '@braidwork/plugin'
import { defined } from '../json.ts'
import type { Sampling } from '../settings.ts'

interface Asked {
  readonly model: string
  /** Whether the model takes neither penalties nor a bias in this request. */
  readonly isRefused: boolean
  readonly warn: Context['warn']
}

/** The fields that make tokens more or less likely. Models that reason refuse them. */
export function biasFields(
  { presence_penalty, frequency_penalty, logit_bias }: Sampling,
  { model, isRefused, warn }: Asked,
): JsonObject {
  // A penalty of 0 is the default, which clients often send; some servers refuse the field itself.
  const fields = defined({
    presence_penalty: presence_penalty || undefined,
    frequency_penalty: frequency_penalty || undefined,
    logit_bias: Object.keys(logit_bias ?? {}).length > 0 ? logit_bias : undefined,
  })
  if (!isRefused) return fields
  const names = Object.keys(fields)
  if (names.length > 0) warn(`"${model}" reasons and takes no ${names.join(', ')}: left out.`)
  return {}
}

/** The id of the end user, and the metadata, which APIs of OpenAI's kind take only for answers that they store. */
export function labelFields(
  { user: given, metadata }: Sampling,
  { isStored, warn }: { readonly isStored: boolean; readonly warn: Context['warn'] },
): JsonObject {
  const user = shortUser(given, warn)
  if (metadata === undefined || isStored) return defined({ user, metadata })
  warn('The API takes metadata only for answers that it stores: "metadata" is left out.')
  return defined({ user })
}

/** The longest id of an end user that APIs of OpenAI's kind take. Claude Code sends one of about 150 characters. */
const LONGEST_USER = 64

/** The id of the end user, if APIs of OpenAI's kind take it. */
export function shortUser(user: string | undefined, warn: Context['warn']): string | undefined {
  if (user === undefined || user.length <= LONGEST_USER) return user
  warn(`The API takes at most ${LONGEST_USER} characters as "user": it is left out.`)
  return undefined
}
