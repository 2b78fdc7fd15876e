import { createHost } from '@braidwork/core'
import openai from '@braidwork/provider-openai'

/** An extension that looks at every chunk and lets it pass. */
const looker = (name) => ({
  kind: 'extension',
  name,
  processChunk: (_chunk, ...answer) => answer,
})

const [url] = process.argv.slice(2)
const host = await createHost({ plugins: [openai, looker('a'), looker('b'), looker('c')] })
const settings = { api: 'chat', api_key: 'sk-bench-0123456789', base_url: `${url}/v1` }
const config = { provider: 'openai', model: 'gpt-4.1', settings: { openai: settings } }
for await (const event of host.stream(config, 'Hello')) {
  if (event.type === 'text-delta') console.log(event.delta)
}
