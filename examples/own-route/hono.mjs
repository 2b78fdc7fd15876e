import { createHost } from 'braidwork'
import { run, tool } from 'braidwork/agent'
import { decodeRequest, toResponse } from 'braidwork/server'
import { Hono } from 'hono'
import { z } from 'zod'

const host = await createHost({
  plugins: ['@braidwork/provider-openai'],
  config: { provider: 'openai', model: 'gpt-5' },
})
const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}.`,
})

export const app = new Hono().post('/api/chat', async (c) => {
  const asked = await decodeRequest(c.req.raw, { protocol: 'ui-message-stream' })
  return toResponse(run(host, { ...asked, tools: [weather, ...asked.tools] }), asked)
})
