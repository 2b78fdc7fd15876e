import type { ResolvedAgent } from '@braidwork/agent'
import { type DeclaredRuntime, warningText } from '@braidwork/agent/internal'
import type { Diagnostic, HostError } from '@braidwork/plugin'

/**
 * Returns what keeps an agent from doing what its spec says: what of the spec does nothing, or, if there is no agent of
 * this id, the faults of the specs that are not valid, of which one may be its own.
 */
export async function agentDiagnostics(
  { runtime, faults }: DeclaredRuntime,
  id: string,
): Promise<readonly Diagnostic[]> {
  const spec = runtime.agents.find((one) => one.id === id)
  if (!spec) return faults.map(asDiagnostic)
  if (spec.endpoint) return []
  try {
    return agentWarnings(await runtime.resolve(id))
  } catch {
    // The run itself reports why the agent cannot be resolved.
    return []
  }
}

/** The warnings of a resolution, with the name of the agent and the field. */
export function agentWarnings({ warnings }: ResolvedAgent): readonly Diagnostic[] {
  return warnings.map((warning) => ({
    code: warning.code,
    level: 'warning',
    message: warningText(warning),
  }))
}

/** The fault of a spec, as it is reported. */
export function asDiagnostic({ code, message, pointer }: HostError): Diagnostic {
  return { code, level: 'error', message, ...(pointer === undefined ? {} : { pointer }) }
}
