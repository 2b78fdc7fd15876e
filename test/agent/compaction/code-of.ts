import { HostError } from '../../../src/plugin/errors.ts'

/** The code of the error with which a promise rejects; undefined if it does not. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    if (HostError.is(error)) return error.code
    throw error
  }
}
