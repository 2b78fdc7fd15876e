import { type ErrorCode, HostError } from '@braidwork/plugin'
import type { RouteContext } from './context.ts'
import { assertKnown } from './own-fields.ts'

/** Refuses query parameters that the route does not know. @throws {HostError} REQUEST_INVALID */
export function assertParameters(c: RouteContext, known: readonly string[]): void {
  assertKnown(c.req.query(), known)
}

/** Whether a request only tries something: `?trial=only`. @throws {HostError} REQUEST_INVALID for another value */
export function isTrial(c: RouteContext): boolean {
  const trial = c.req.query('trial')
  if (trial === undefined || trial === 'only') return trial !== undefined
  throw new HostError('REQUEST_INVALID', '"trial" must be "only".', { pointer: '/trial' })
}

/**
 * Awaits work that depends on a query parameter. If the work fails with the code `refusal`, the caller sent a wrong
 * parameter, so the error becomes REQUEST_INVALID instead of a server error.
 * @throws {HostError} REQUEST_INVALID
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
