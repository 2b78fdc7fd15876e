import type { BackendFactory } from '@braidwork/agent'
import type { Declared } from '@braidwork/agent/internal'

/** The backends of agents that run elsewhere. They are loaded only if there may be such an agent. */
export async function backendsFor({
  agents,
  texts = [],
}: Declared): Promise<readonly BackendFactory[]> {
  const isNamed = (text: string | undefined) => text?.includes('endpoint') ?? false
  if (!isNamed(JSON.stringify(agents)) && !texts.some(({ text }) => isNamed(text))) return []
  const { a2aBackend } = await import('@braidwork/a2a')
  return [a2aBackend()]
}
