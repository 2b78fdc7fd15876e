import { type ErrorCode, HostError } from '@braidwork/plugin'

/**
 * What work comes to that takes a parameter of an address. Where the host refuses that by a code of its own, it is the
 * caller's fault, and no failure of the server.
 * @throws {HostError} REQUEST_INVALID in place of that code
 */
export async function withParameter<T>(
  name: string,
  refusal: ErrorCode,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!HostError.is(error) || error.code !== refusal) throw error
    throw new HostError('REQUEST_INVALID', error.message, { pointer: `/${name}`, cause: error })
  }
}
