// An agent as data: its prompt, its tools, and when it stops.
import { createHost, textOf } from 'braidwork'
import { createRuntime } from 'braidwork/agent'

const host = await createHost({ plugins: ['scripted', 'calculator'] })
const agents = [
  { id: 'clerk', system_prompt: 'You calculate.', allowed_tools: ['calculate'], max_rounds: 3 },
]
const runtime = await createRuntime({ host, agents })
const stream = await runtime.run('clerk', { messages: 'What is 2 + 3?' })
const { messages, finishReason } = await stream.result
console.log(finishReason, textOf(messages.at(-1)))
await host.close()
