import openai from '@braidwork/provider-openai'
import { createHost } from 'braidwork'
import { run, tool } from 'braidwork/agent'
import { decodeRequest, toResponse } from 'braidwork/server'
import { z } from 'zod'

const host = await createHost({
  plugins: [openai],
  config: { provider: 'openai', model: 'gpt-5' },
})
const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}.`,
})

export async function POST(request) {
  const asked = await decodeRequest(request, { protocol: 'ui-message-stream' })
  return toResponse(run(host, { ...asked, tools: [weather, ...asked.tools] }), asked)
}
