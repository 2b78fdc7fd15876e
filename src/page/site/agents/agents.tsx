import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Drawer, useLoaded, Waiting } from '../drawer/index.ts'
import { addFormWords } from '../forms/index.ts'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'
import { AgentEditor } from './agent-editor.tsx'
import { AGENT_ROUTES, type ListedAgent, type Stored } from './documents.ts'
import { Warnings } from './shown-outcome.tsx'
import './agents.css'

addFormWords()

interface AgentsProps {
  readonly client: Client
  /** An agent was stored or deleted. */
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Begins a new agent. */
const NEW = Symbol('new')

/** A drawer for admins: the agents of the server, what each is, and those that may be changed. */
export function Agents({ client, onChange, onClose }: AgentsProps) {
  const [chosen, setChosen] = useState<ListedAgent | typeof NEW>()
  const loaded = useLoaded((signal) => AGENT_ROUTES.list(client, signal), '')
  const [stored, setStored] = useState<Stored>()
  const leave = () => setChosen(undefined)
  const choose = (one: ListedAgent | typeof NEW) => {
    setStored(undefined)
    setChosen(one)
  }
  const changed = (saved?: Stored) => {
    setStored(saved)
    leave()
    loaded.retry()
    onChange()
  }
  const shown = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    // The button that was pressed has gone.
    if (!isFirst.current) shown.current?.focus()
    isFirst.current = false
  }, [chosen])
  const agent = chosen === NEW ? undefined : chosen
  return (
    <Drawer title={t('agents')} note={t('agentsNote')} onClose={onClose}>
      <div ref={shown} class="agents" tabIndex={-1}>
        {stored && <StoredAgent stored={stored} />}
        {chosen === undefined ? (
          <Waiting loaded={loaded}>
            {({ agents }) => (
              <AgentList agents={agents} onChoose={choose} onNew={() => choose(NEW)} />
            )}
          </Waiting>
        ) : (
          <AgentEditor client={client} agent={agent} onLeave={leave} onChange={changed} />
        )}
      </div>
    </Drawer>
  )
}

/** What the server says of an agent that was stored. */
function StoredAgent({ stored: { id, warnings } }: { readonly stored: Stored }) {
  return (
    <div class="agent-outcome" role="status">
      <p>{t('agentSaved', { id })}</p>
      <Warnings warnings={warnings} />
    </div>
  )
}

interface AgentListProps {
  readonly agents: readonly ListedAgent[]
  readonly onChoose: (agent: ListedAgent) => void
  readonly onNew: () => void
}

function AgentList({ agents, onChoose, onNew }: AgentListProps) {
  return (
    <>
      <button type="button" class="main" onClick={onNew}>
        {t('agentNew')}
      </button>
      {agents.length === 0 ? <p class="drawer-note">{t('agentsNone')}</p> : null}
      <ul class="agent-list">
        {agents.map((agent) => (
          <li key={agent.id}>
            <button type="button" onClick={() => onChoose(agent)}>
              {agent.name}
            </button>{' '}
            <span class="muted">
              {t(agent.from === 'config' ? 'agentOfConfig' : 'agentStored')}
            </span>
            {agent.description ? <p class="muted">{agent.description}</p> : null}
          </li>
        ))}
      </ul>
    </>
  )
}
