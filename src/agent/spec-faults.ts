import type { HostError } from '@braidwork/plugin'

/** A fault of a spec: its place, and what is wrong. */
export interface SpecFault {
  /** JSON pointer into the spec. */
  readonly pointer: string
  readonly message: string
}

const known = new WeakMap<HostError, readonly SpecFault[]>()

/** @returns the error, of which {@link faultsOf} then tells all faults, and not only the first */
export function withFaults(error: HostError, faults: readonly SpecFault[]): HostError {
  known.set(error, faults)
  return error
}

/** All faults of a spec for which an error was thrown. For other errors, what their pointer says. */
export function faultsOf(error: HostError): readonly SpecFault[] {
  const { pointer, message } = error
  return known.get(error) ?? (pointer === undefined ? [] : [{ pointer, message }])
}
