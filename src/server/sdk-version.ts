import { HostError } from '@braidwork/plugin'
import { SDK_VERSIONS, type SdkVersion } from './wire/ui-message-stream/index.ts'

/**
 * Parses the major version of the AI SDK that a client names.
 * @throws {HostError} REQUEST_INVALID
 */
export function sdkVersionOf(named: string | undefined): SdkVersion | undefined {
  const sdk = SDK_VERSIONS.find((version) => String(version) === named)
  if (named === undefined || sdk !== undefined) return sdk
  const message = `"sdk" must be one of ${SDK_VERSIONS.join(', ')}, not "${named.slice(0, 20)}".`
  throw new HostError('REQUEST_INVALID', message, { pointer: '/sdk' })
}
