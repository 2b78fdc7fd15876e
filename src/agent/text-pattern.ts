import { validatorOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'

/** Whether a text has a match. */
export type TextMatcher = (text: string) => boolean

/**
 * Compiles an RE2 pattern, which comes from data: no input can make it hang.
 * @param pointer the place of the pattern, for the error
 * @throws {HostError} OPTION_INVALID
 */
export async function textMatcher(pattern: string, pointer: string): Promise<TextMatcher> {
  try {
    const validate = await validatorOf({ type: 'string', pattern })
    return (text) => validate(text) === undefined
  } catch (cause) {
    const message = `"${pattern}" is not an RE2 pattern. Change or remove it.`
    throw new HostError('OPTION_INVALID', message, { pointer, cause })
  }
}
