import { HostError } from '@braidwork/plugin'
import { checkedProvider } from './look-up.ts'
import type { AgentRuntime } from './runtime.ts'

/** The models of a runtime whose provider is not registered, whether or not an agent refers to them. */
export function modelFaults({ host, models }: AgentRuntime): readonly HostError[] {
  const faults: HostError[] = []
  for (const model of models) {
    try {
      checkedProvider({ host }, model)
    } catch (error) {
      if (!HostError.is(error)) throw error
      faults.push(error)
    }
  }
  return faults
}
