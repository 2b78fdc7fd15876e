import { HostError } from '@braidwork/plugin'
import { checkTarget, GuardError } from '@braidwork/request-guard'
import type { NotificationSettings } from '../options/index.ts'

/**
 * Checks that a receiver's address may be posted to, at the time when a client names it. Each delivery checks again.
 * @throws {HostError} REQUEST_INVALID
 */
export async function assertReceiver(
  url: string,
  { allowPrivate = false }: NotificationSettings,
  signal: AbortSignal,
): Promise<void> {
  const allowed = { allow_loopback: allowPrivate, allow_private: allowPrivate }
  try {
    const target = await checkTarget(url, allowed, signal)
    if (allowPrivate || target.url.protocol === 'https:') return
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    throw refused(error.message)
  }
  throw refused('The address must begin with https:, because notifications have tokens.')
}

function refused(reason: string): HostError {
  const message = `Notifications cannot be sent there: ${reason}`
  return new HostError('REQUEST_INVALID', message, { pointer: '/url' })
}
