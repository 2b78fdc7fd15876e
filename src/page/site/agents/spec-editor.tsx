import type { RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useUnsaved, ViewSwitch } from '../drawer/index.ts'
import { SchemaForm } from '../forms/index.ts'
import type { Client, FaultTree, Values } from '../server/index.ts'
import { t } from '../words/index.ts'
import type { ListedAgent, Stored, TaggedSpec } from './documents.ts'
import { ShownOutcome } from './shown-outcome.tsx'
import { draftOf, inView, type SpecDraft, withText, withValues } from './spec-draft.ts'
import { specForm } from './spec-layout.ts'
import { useAction } from './use-action.ts'
import { useShownFaults } from './use-shown-faults.ts'
import { useSpecActions } from './use-spec-actions.ts'

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
  const act = useAction(agent ? 'agentChanged' : 'agentTaken')
  const isFixed = agent?.from === 'config'
  const write = (next: SpecDraft) => {
    if (next !== draft) {
      act.changed()
      setChanged(true)
    }
    setDraft(next)
  }
  const { trial, save, remove, sent } = useSpecActions({ client, id, draft, spec, act, onChange })
  const show = (view: SpecDraft['view']) =>
    void act.during(async () => {
      setDraft(inView(draft, view))
      return undefined
    })
  const faults = useShownFaults({ outcome: act.outcome, schema, sent, view: draft.view, idField })
  return (
    <>
      {agent ? null : (
        <IdField id={id} field={idField} fault={act.outcome.idFault} onChange={setId} />
      )}
      {isFixed && <p class="drawer-note">{t('agentFixed')}</p>}
      <ViewSwitch views={namedViews()} view={draft.view} onChange={show} />
      <SpecFields
        {...{ schema, draft, faults: faults.tree, isFixed, onChange: write }}
        onSubmit={trial}
      />
      {!isFixed && (
        <SpecButtons
          {...{ agent, isBusy: act.isBusy }}
          onTry={trial}
          onSave={save}
          onDelete={remove}
        />
      )}
      <ShownOutcome outcome={act.outcome} others={faults.others} />
    </>
  )
}

interface ButtonsProps {
  readonly agent: ListedAgent | undefined
  readonly isBusy: boolean
  readonly onTry: () => void
  readonly onSave: () => void
  readonly onDelete: () => void
}

/** A button that is off would lose the focus, so those of a busy editor only say that they are. */
function SpecButtons({ agent, isBusy, onTry, onSave, onDelete }: ButtonsProps) {
  const remove = () => agent && confirm(t('agentDeleteAsk', { id: agent.id })) && onDelete()
  return (
    <p class="agent-buttons">
      <button type="button" aria-disabled={isBusy} onClick={onTry}>
        {t('agentTry')}
      </button>
      <button type="button" class="main" aria-disabled={isBusy} onClick={onSave}>
        {t('save')}
      </button>
      {agent && (
        <button type="button" onClick={remove}>
          {t('delete')}
        </button>
      )}
    </p>
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
  readonly fault: string | undefined
  readonly field: RefObject<HTMLInputElement | null>
  readonly onChange: (id: string) => void
}

function IdField({ id, field, fault, onChange }: IdFieldProps) {
  const isWrong = fault !== undefined
  return (
    <>
      <label>
        {t('agentId')}
        <input
          ref={field}
          value={id}
          {...(isWrong ? { 'aria-invalid': true, 'aria-describedby': 'agent-id-fault' } : {})}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      {isWrong && (
        <p class="drawer-error" id="agent-id-fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
