// Why is a plugin off, and what is the smallest change that turns it on?
import { createHost } from 'braidwork'

const host = await createHost({ plugins: ['scripted', 'calculator'] })
const config = { model: 'scripted-mini', disabled_plugins: ['calculator'] }
const [{ on, rule, change }] = await host.explain(config, { plugin: 'calculator' })
console.log(on, rule)
for (const edits of change) console.log(edits)
await host.close()
