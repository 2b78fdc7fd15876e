// A tool of the program, which the model calls. The schema is one of zod.
import { createHost, textOf } from 'braidwork'
import { run, tool } from 'braidwork/agent'
import { z } from 'zod'

const script = [
  { when: { tool: 'weather' }, then: { text: 'It is: {{result.weather}}' } },
  { then: { tool_calls: [{ name: 'weather', input: { city: 'Rome' } }] } },
]
const host = await createHost({
  plugins: ['scripted'],
  config: { settings: { scripted: { script } } },
})
const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}.`,
})
const { messages, steps } = await run(host, { messages: 'How is the weather?', tools: [weather] })
  .result
for (const { role, parts } of messages) console.log(role, parts.map(({ type }) => type).join())
console.log(steps, textOf(messages.at(-1)))
await host.close()
