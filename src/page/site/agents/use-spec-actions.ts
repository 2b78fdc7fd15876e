import { useRef } from 'preact/hooks'
import type { Client, Values } from '../server/index.ts'
import { t } from '../words/index.ts'
import { AGENT_ROUTES, type Stored, type TaggedSpec, type Trial } from './documents.ts'
import { type SpecDraft, specOf } from './spec-draft.ts'
import type { useAction } from './use-action.ts'

interface ActedOn {
  readonly client: Client
  readonly id: string
  readonly draft: SpecDraft
  /** Undefined for a new agent. */
  readonly spec: TaggedSpec
  readonly act: ReturnType<typeof useAction>
  /** @param stored undefined if the agent was deleted */
  readonly onChange: (stored?: Stored) => void
}

/** What a person may do with a spec. */
export function useSpecActions({ client, id, draft, spec, act, onChange }: ActedOn) {
  /** The spec that the server has judged last. */
  const sent = useRef<Values>({})
  /** Does something with the spec of an agent that has a name. */
  const named = (ask: (spec: Values) => Promise<Trial | undefined>) => () => {
    const asked = async () => {
      sent.current = specOf(draft)
      return ask(sent.current)
    }
    return id.trim() === '' ? act.refuseId(t('agentNameless')) : void act.during(asked)
  }
  const trial = named((tried) => AGENT_ROUTES.try(client, id, tried))
  const save = named(async (saved) => {
    onChange(await AGENT_ROUTES.save(client, { id, spec: saved, before: spec }))
    return undefined
  })
  const remove = () =>
    void act.during(async () => {
      await AGENT_ROUTES.remove(client, id, spec)
      onChange()
      return undefined
    })
  return { trial, save, remove, sent }
}
