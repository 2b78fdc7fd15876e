import { useState } from 'preact/hooks'
import { useLoaded, Waiting } from '../drawer/index.ts'
import { type Client, ServerError } from '../server/index.ts'
import { t } from '../words/index.ts'
import { AGENT_ROUTES, type ListedAgent, specIn, type Trial } from './documents.ts'

interface AgentEditorProps {
  readonly client: Client
  /** Undefined for a new one. */
  readonly agent: ListedAgent | undefined
  readonly onLeave: () => void
  readonly onChange: () => void
}

const EMPTY = '{\n  "system_prompt": ""\n}'

/** The spec of an agent as JSON, which is tried before it is stored. */
export function AgentEditor(props: AgentEditorProps) {
  const { client, agent, onLeave } = props
  const loaded = useLoaded(async (signal) => {
    if (!agent) return EMPTY
    return JSON.stringify(await AGENT_ROUTES.spec(client, agent.id, signal), null, 2)
  }, agent?.id ?? '')
  return (
    <>
      <button type="button" class="drawer-button" onClick={onLeave}>
        {t('agentsAll')}
      </button>
      <h3>{agent?.name ?? t('agentNew')}</h3>
      <Waiting loaded={loaded}>{(text) => <Editor {...props} first={text} />}</Waiting>
    </>
  )
}

interface EditorProps extends AgentEditorProps {
  readonly first: string
}

function Editor({ client, agent, first, onChange }: EditorProps) {
  const [id, setId] = useState(agent?.id ?? '')
  const [text, setText] = useState(first)
  const act = useAction()
  const isFixed = agent?.from === 'config'
  const trial = () => AGENT_ROUTES.try(client, id, specIn(text))
  const save = async () => {
    await AGENT_ROUTES.save(client, id, specIn(text))
    onChange()
    return undefined
  }
  const remove = async () => {
    if (!confirm(t('agentDeleteAsk', { id }))) return undefined
    await AGENT_ROUTES.remove(client, id)
    onChange()
    return undefined
  }
  return (
    <>
      {agent ? null : <IdField id={id} onChange={setId} />}
      <label>
        {t('agentSpec')}
        <textarea
          class="agent-spec"
          spellcheck={false}
          readOnly={isFixed}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {isFixed ? (
        <p class="drawer-note">{t('agentFixed')}</p>
      ) : (
        <p class="agent-buttons">
          <button type="button" disabled={act.isBusy} onClick={() => void act.during(trial)}>
            {t('agentTry')}
          </button>
          <button
            type="button"
            class="main"
            disabled={act.isBusy}
            onClick={() => void act.during(save)}
          >
            {t('save')}
          </button>
          {agent && (
            <button type="button" disabled={act.isBusy} onClick={() => void act.during(remove)}>
              {t('delete')}
            </button>
          )}
        </p>
      )}
      {act.fault && <p role="alert">{act.fault}</p>}
      {act.trial && <Tried trial={act.trial} />}
    </>
  )
}

function IdField({
  id,
  onChange,
}: {
  readonly id: string
  readonly onChange: (id: string) => void
}) {
  return (
    <label>
      {t('agentId')}
      <input value={id} onInput={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}

/** Does one thing at a time, and tells what came of it. */
function useAction() {
  const [fault, setFault] = useState<string>()
  const [trial, setTrial] = useState<Trial>()
  const [isBusy, setBusy] = useState(false)
  const during = async (act: () => Promise<Trial | undefined>) => {
    setBusy(true)
    setFault(undefined)
    setTrial(undefined)
    try {
      setTrial(await act())
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      setFault(t('failed', { message: thrown.message }))
    } finally {
      setBusy(false)
    }
  }
  return { fault, trial, isBusy, during }
}

/** What the agent would be: its warnings, and its tools with the reason for those that it would not have. */
function Tried({ trial }: { readonly trial: Trial }) {
  return (
    <section aria-label={t('agentTrial')}>
      <p role="status">{t('agentWorks')}</p>
      <ul>
        {trial.warnings.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <h4>{t('whyTools')}</h4>
      <ul>
        {trial.tools.map(({ tool_name: name, offered, reason }) => (
          <li key={name}>
            <code>{name}</code> <span class="muted">{offered ? t('whyOffered') : reason}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
