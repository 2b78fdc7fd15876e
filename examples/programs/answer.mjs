// One answer, whole.
import { createHost, textOf } from 'braidwork'

const host = await createHost({ plugins: ['scripted'] })
const { messages, usage, finishReason } = await host.send({}, 'My name is Ada.')
console.log(messages.map(textOf).join('\n'))
console.log(finishReason, usage.input > 0, usage.output > 0)
await host.close()
