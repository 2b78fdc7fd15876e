// A chat page of CopilotKit, with the chat that it brings. Its address says to whom it talks.
import { HttpAgent } from '@ag-ui/client'
import { CopilotChat, CopilotKitProvider, useFrontendTool } from '@copilotkit/react-core/v2'
import { useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'

const { key, agent, code } = Object.fromEntries(new URLSearchParams(location.search))

/** CopilotKit keeps what it forwards in its properties. */
const PROPERTIES = { agent }

function Weather() {
  useFrontendTool({
    name: 'get_weather',
    description: 'Tells the weather.',
    parameters: z.object({ city: z.string() }),
    handler: async ({ city }) => `21 degrees in ${city}, report ${code}`,
  })
  return null
}

/** A run goes on for a while without its page. It ends at once if the page says so. */
async function fetchUntilStopped(address, init) {
  const response = await fetch(address, init)
  const run = response.headers.get('x-run-id')
  const { headers, signal } = init
  const stop = () => fetch(`/runs/${run}/stop`, { method: 'POST', headers })
  if (run) signal?.addEventListener('abort', stop)
  return response
}

function Page() {
  const [error, setError] = useState('')
  const agents = useMemo(() => {
    const headers = { authorization: `Bearer ${key}` }
    return { default: new HttpAgent({ url: '/ag-ui', headers, fetch: fetchUntilStopped }) }
  }, [])
  return (
    <CopilotKitProvider
      selfManagedAgents={agents}
      properties={PROPERTIES}
      onError={({ error: told }) => setError(String(told?.message ?? told))}
    >
      {code ? <Weather /> : null}
      <CopilotChat agentId="default" />
      <p className="error">{error}</p>
    </CopilotKitProvider>
  )
}

createRoot(document.querySelector('#app')).render(<Page />)
