import { HostError } from '@braidwork/plugin'
import { quoted } from '../index.ts'

/** The versions of A2A that this server speaks. Patch versions do not count. */
export const A2A_VERSIONS = ['1.0', '0.3'] as const
export type A2aVersion = (typeof A2A_VERSIONS)[number]

/** The header in which a client names its version. */
export const A2A_VERSION_HEADER = 'a2a-version'

/**
 * Reads the version that a client names. Undefined if it names none: then the name of the operation tells it.
 * @throws {HostError} VERSION_UNSUPPORTED
 */
export function a2aVersionIn(header: string | null | undefined): A2aVersion | undefined {
  const given = header?.trim() ?? ''
  if (given === '') return undefined
  const found = A2A_VERSIONS.find((known) => given === known || given.startsWith(`${known}.`))
  if (found) return found
  const message = `The server does not speak version ${quoted(given)} of A2A; it speaks ${A2A_VERSIONS.join(' and ')}.`
  throw new HostError('VERSION_UNSUPPORTED', message, { pointer: '/A2A-Version' })
}
