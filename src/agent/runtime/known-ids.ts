import { HostError } from '@braidwork/plugin'
import type { AgentRuntime } from './runtime.ts'

/** The ids to which the spec of an agent may refer. */
export interface KnownIds {
  readonly models: readonly string[]
  readonly plugins: readonly string[]
  readonly tools: readonly string[]
}

/** The ids that the host and the config of a runtime have. */
export async function knownIds(runtime: AgentRuntime): Promise<KnownIds> {
  const { host, models, pools } = runtime
  return {
    models: [...models, ...pools].map(({ id }) => id),
    plugins: host.plugins.filter(({ kind }) => kind !== 'provider').map(({ name }) => name),
    tools: await toolsOf(runtime),
  }
}

/** No tools where the config has a fault, of which the trial of an agent tells. */
async function toolsOf({ host }: AgentRuntime): Promise<readonly string[]> {
  try {
    const tools = await host.toolSchemas({}, { inventory: true })
    return tools
      .filter(({ input_schema: schema }) => schema !== undefined)
      .map(({ tool_name: name }) => name)
  } catch (error) {
    if (HostError.is(error)) return []
    throw error
  }
}
