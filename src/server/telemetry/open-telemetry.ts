import { type Diagnostic, HostError } from '@braidwork/plugin'
import { messageOf, missingPackage, toMissingPackage } from '@braidwork/plugin/internal'
import type { TelemetrySettings } from '../options/index.ts'
import type { Api } from './api.ts'

const API = '@opentelemetry/api'
const NEEDING = 'No spans and metrics are made: "telemetry" needs'

/** Returns the API of OpenTelemetry. @throws {HostError} PACKAGE_MISSING; what importing it throws, if it is broken */
export async function openTelemetry(load?: () => Promise<Api>): Promise<Api> {
  try {
    // Bundlers take the package in if it is installed, and let it be absent, because the import stands in this block.
    return load ? await load() : await import('@opentelemetry/api')
  } catch (error) {
    throw wasUnresolved(error)
      ? new HostError('PACKAGE_MISSING', missingPackage(NEEDING, API), { cause: error })
      : toMissingPackage(error, NEEDING)
  }
}

/** Vite puts a module that throws this in the place of an optional package that it did not find. */
function wasUnresolved(error: unknown): boolean {
  return messageOf(error).startsWith(`Could not resolve "${API}"`)
}

/** Warns that the spans and metrics that a server is to make need a package that is not there. */
export async function telemetryFaults(
  settings: TelemetrySettings | undefined,
  load?: () => Promise<Api>,
): Promise<readonly Diagnostic[]> {
  if (!settings) return []
  try {
    await openTelemetry(load)
    return []
  } catch (error) {
    if (!HostError.is(error)) throw error
    return [{ ...missing(error), level: 'warning', pointer: '/server/telemetry' }]
  }
}

/** The API belongs beside the server: where only the SDK has it, as under pnpm, the server does not find it. */
export function missing({ code, message }: HostError): Pick<Diagnostic, 'code' | 'message'> {
  const where = 'in the folder whose "node_modules" has Braidwork'
  return { code, message: `${message.replace(/\.$/, '')} ${where}.` }
}
