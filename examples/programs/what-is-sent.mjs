// What would the model be asked, and which plugin changed what? Nothing is sent.
import { createHost } from 'braidwork'

const brief = {
  kind: 'feature',
  name: 'brief',
  editMessages: (messages) => [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    ...messages,
  ],
}
const host = await createHost({ plugins: ['scripted', brief, 'calculator'] })
const { native, steps } = await host.dryRun({}, 'Hello', { steps: true })
console.log(
  native.tools.map(({ name }) => name),
  native.messages.map(({ role }) => role),
)
for (const { plugin, hook, changes } of steps) console.log(plugin, hook, changes.length)
await host.close()
