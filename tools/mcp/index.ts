import type { ActionContext, Tool } from '@braidwork/plugin'
import { endParkedCalls, executeTool } from './execute.ts'
import { isReading, read, readingSchemas } from './reading.ts'
import { serversOffer } from './servers-offer.ts'
import { type McpState, readSettings } from './settings.ts'
import { CONFIG_SCHEMA } from './settings-schema.ts'
import { pool } from './shared-pool.ts'
import { noteState } from './used-servers.ts'

export default {
  kind: 'tool',
  name: 'mcp',
  // Off by default, since it starts programs and uses the network.
  defaultEnabled: false,
  requiredTags: ['tools'],
  configSchema: CONFIG_SCHEMA,
  init: (config) => readSettings(config),
  getToolSchemas: async (state: McpState, context: ActionContext) => {
    noteState(context, state)
    return [...readingSchemas(state), ...(await serversOffer(pool, state, context)).schemas]
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
