import type { ActionContext, Tool, ToolSchema } from '@braidwork/plugin'
import { endParkedCalls, executeTool } from './calls/execute.ts'
import { serversOffer } from './offer/servers-offer.ts'
import { isReading, read, readingSchemas } from './reading.ts'
import { pool } from './sessions/shared-pool.ts'
import { type McpState, readSettings } from './settings.ts'
import { CONFIG_SCHEMA } from './settings-schema.ts'
import { noteState } from './used-servers.ts'

async function offered(state: McpState, context: ActionContext): Promise<readonly ToolSchema[]> {
  const { schemas } = await serversOffer(pool, state, context)
  return [...readingSchemas(state), ...schemas]
}

export default {
  kind: 'tool',
  name: 'mcp',
  // Off by default, since it starts programs and uses the network.
  defaultEnabled: false,
  requiredTags: ['tools'],
  configSchema: CONFIG_SCHEMA,
  init: (config) => readSettings(config),
  getToolSchemas: (state: McpState, context: ActionContext) => {
    // Without a server in use, nothing is noted and nothing is waited for: either would cost more than all else here.
    if (state.servers.length === 0) return []
    noteState(context, state)
    return offered(state, context)
  },
  executeTool: (call, state: McpState, context: ActionContext) =>
    isReading(call.name)
      ? read(pool, { call, state, context })
      : executeTool(pool, { call, state, context }),
  close: () => {
    endParkedCalls()
    return pool.close()
  },
} satisfies Tool<McpState>
