import type { RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useUnsaved, ViewSwitch } from '../drawer/index.ts'
import { SchemaForm } from '../forms/index.ts'
import { type Client, type FaultTree, faultTree, type Values } from '../server/index.ts'
import { t } from '../words/index.ts'
import {
  AGENT_ROUTES,
  type ListedAgent,
  type Stored,
  type TaggedSpec,
  type Trial,
} from './documents.ts'
import { ShownOutcome } from './shown-outcome.tsx'
import { draftOf, inView, type SpecDraft, specOf, withText, withValues } from './spec-draft.ts'
import { specForm } from './spec-layout.ts'
import { useAction } from './use-action.ts'

interface SpecEditorProps {
  readonly client: Client
  /** Undefined for a new one. */
  readonly agent: ListedAgent | undefined
  /** The JSON Schema of specs. */
  readonly schema: Values
  /** Undefined for a new one. */
  readonly spec: TaggedSpec
  /** @param stored undefined if the agent was deleted */
  readonly onChange: (stored?: Stored) => void
}

/** A spec as a form or as JSON, and what may be done with it. */
export function SpecEditor({ client, agent, schema, spec, onChange }: SpecEditorProps) {
  const [id, setId] = useState(agent?.id ?? '')
  const [draft, setDraft] = useState(() => draftOf(spec?.value ?? {}))
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged || id !== (agent?.id ?? ''))
  const idField = useRef<HTMLInputElement>(null)
  // A button that is off would lose the focus, so those of a busy editor only say that they are.
  const act = useAction(agent ? 'agentChanged' : 'agentTaken')
  const isFixed = agent?.from === 'config'
  const write = (next: SpecDraft) => {
    if (next !== draft) {
      act.changed()
      setChanged(true)
    }
    setDraft(next)
  }
  /** Does something with an agent that has a name. */
  const named = (ask: () => Promise<Trial | undefined>) => () => {
    if (id.trim() !== '') return void act.during(ask)
    act.refuse(t('agentNameless'))
    idField.current?.focus()
  }
  const trial = named(() => AGENT_ROUTES.try(client, id, specOf(draft)))
  const save = named(async () => {
    onChange(await AGENT_ROUTES.save(client, { id, spec: specOf(draft), before: spec }))
    return undefined
  })
  const remove = () =>
    void act.during(async () => {
      await AGENT_ROUTES.remove(client, id, spec)
      onChange()
      return undefined
    })
  const show = (view: SpecDraft['view']) =>
    void act.during(async () => {
      setDraft(inView(draft, view))
      return undefined
    })
  const faults = useMemo(() => faultTree(act.outcome.faults ?? []), [act.outcome.faults])
  return (
    <>
      {agent ? null : <IdField id={id} field={idField} onChange={setId} />}
      {isFixed && <p class="drawer-note">{t('agentFixed')}</p>}
      <ViewSwitch views={namedViews()} view={draft.view} onChange={show} />
      <SpecFields {...{ schema, draft, faults, isFixed, onChange: write }} onSubmit={trial} />
      {!isFixed && (
        <p class="agent-buttons">
          <button type="button" aria-disabled={act.isBusy} onClick={trial}>
            {t('agentTry')}
          </button>
          <button type="button" class="main" aria-disabled={act.isBusy} onClick={save}>
            {t('save')}
          </button>
          {agent && (
            <button type="button" onClick={() => confirm(t('agentDeleteAsk', { id })) && remove()}>
              {t('delete')}
            </button>
          )}
        </p>
      )}
      <ShownOutcome outcome={act.outcome} />
    </>
  )
}

/** The views, with their names in the language of the page. */
function namedViews() {
  return [
    ['form', t('agentForm')],
    ['json', t('agentJson')],
  ] as const
}

interface SpecFieldsProps {
  readonly schema: Values
  readonly draft: SpecDraft
  readonly faults: FaultTree
  readonly isFixed: boolean
  readonly onChange: (draft: SpecDraft) => void
  readonly onSubmit: () => void
}

/** The spec in the view that was chosen. */
function SpecFields({ schema, draft, faults, isFixed, onChange, onSubmit }: SpecFieldsProps) {
  const form = useMemo(() => specForm(schema), [schema])
  if (draft.view === 'json') {
    return (
      <label>
        {t('agentSpec')}
        <textarea
          class="agent-spec"
          spellcheck={false}
          readOnly={isFixed}
          value={draft.text}
          onInput={(event) => onChange(withText(draft, event.currentTarget.value))}
        />
      </label>
    )
  }
  return (
    <SchemaForm
      prefix="agent"
      schema={form.schema}
      uiSchema={form.layout}
      data={draft.values}
      faults={faults}
      isReadOnly={isFixed}
      onChange={(data) => onChange(withValues(draft, data as Values))}
      onSubmit={onSubmit}
    >
      <span />
    </SchemaForm>
  )
}

interface IdFieldProps {
  readonly id: string
  readonly field: RefObject<HTMLInputElement | null>
  readonly onChange: (id: string) => void
}

function IdField({ id, field, onChange }: IdFieldProps) {
  return (
    <label>
      {t('agentId')}
      <input ref={field} value={id} onInput={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}
