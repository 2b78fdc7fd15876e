// An answer in pieces, as it arrives. The loop ends the request if it is left.
import { createHost } from 'braidwork'

const host = await createHost({ plugins: ['scripted'] })
for await (const event of host.stream({}, 'My name is Ada.')) {
  if (event.type === 'text-delta') console.log(JSON.stringify(event.delta))
  if (event.type === 'finish') console.log(event.finishReason)
}
await host.close()
