// A page with the client of CopilotKit, without the chat that CopilotKit brings. It asks what its address says.

import { CopilotKitCore } from '@copilotkit/core'
import { HttpAgent } from 'copilotkit-ag-ui'
import { z } from 'zod'

const { agent: name, ask } = Object.fromEntries(new URLSearchParams(location.search))
const shown = document.querySelector('#app')

const agent = new HttpAgent({ url: '/ag-ui' })
const core = new CopilotKitCore({
  agents__unsafe_dev_only: { default: agent },
  properties: { agent: name },
  tools: [
    {
      name: 'locate',
      description: 'Tells where a city is.',
      parameters: z.object({ city: z.string() }),
      handler: async ({ city }) => `41.9 (${city})`,
    },
  ],
})
agent.subscribe({
  onMessagesChanged: ({ messages }) => {
    shown.textContent = messages.map(({ content }) => content ?? '').join('\n')
  },
})
agent.addMessage({ id: 'question', role: 'user', content: ask })
await core.runAgent({ agent })
