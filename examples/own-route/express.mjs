import { createHost } from 'braidwork'
import { run, tool } from 'braidwork/agent'
import { decodeRequest, toNodeHandler, toResponse } from 'braidwork/server'
import express from 'express'
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

async function chat(request) {
  const asked = await decodeRequest(request, { protocol: 'ui-message-stream' })
  return toResponse(run(host, { ...asked, tools: [weather, ...asked.tools] }), asked)
}

export const app = express().post('/api/chat', toNodeHandler({ fetch: chat }))
