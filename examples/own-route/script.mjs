import { createHost, textOf } from 'braidwork'
import { run, tool } from 'braidwork/agent'
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

const asked = { messages: 'How is the weather in Rome?', tools: [weather] }
const { messages, error } = await run(host, asked).result
console.log(error?.message ?? textOf(messages.at(-1)))
await host.close()
