import { useLeave, useLoaded, Waiting } from '../drawer/index.ts'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'
import { AGENT_ROUTES, type ListedAgent, type Stored } from './documents.ts'
import { SpecEditor } from './spec-editor.tsx'

interface AgentEditorProps {
  readonly client: Client
  /** Undefined for a new one. */
  readonly agent: ListedAgent | undefined
  readonly onLeave: () => void
  /** @param stored undefined if the agent was deleted */
  readonly onChange: (stored?: Stored) => void
}

/** The spec of an agent, which is tried before it is stored. */
export function AgentEditor({ client, agent, onLeave, onChange }: AgentEditorProps) {
  const loaded = useLoaded(async (signal) => {
    const [schema, spec] = await Promise.all([
      AGENT_ROUTES.schema(client, signal),
      agent ? AGENT_ROUTES.spec(client, agent.id, signal) : undefined,
    ])
    return { schema, spec }
  }, agent?.id ?? '')
  const leave = useLeave()
  return (
    <>
      <button type="button" class="drawer-button" onClick={() => leave(onLeave)}>
        {t('agentsAll')}
      </button>
      <h3>{agent?.name ?? t('agentNew')}</h3>
      <Waiting loaded={loaded}>
        {({ schema, spec }) => (
          <SpecEditor
            client={client}
            agent={agent}
            schema={schema}
            spec={spec}
            onChange={onChange}
          />
        )}
      </Waiting>
    </>
  )
}
