// A request that is cancelled after some pieces. What had arrived is kept.
import { createHost, textOf } from 'braidwork'

const host = await createHost({ plugins: ['scripted'] })
const controller = new AbortController()
const stream = host.stream({}, 'My name is Ada.', { signal: controller.signal })
let pieces = 0
for await (const event of stream) {
  if (event.type === 'text-delta' && ++pieces === 2) controller.abort('It is enough.')
  if (event.type === 'abort') console.log(event.type, event.reason)
}
const { status, messages } = await stream.result
console.log(status, JSON.stringify(messages.map(textOf)))
await host.close()
