import { useState } from 'preact/hooks'
import { useLoaded } from '../drawer/index.ts'
import {
  type Client,
  changeSettings,
  loadSettings,
  maySet,
  type Place,
  placeQuery,
  ServerError,
} from '../server/index.ts'
import { language, t } from '../words/index.ts'
import type { Edit } from './documents.ts'
import { dataOf, pointersOf } from './edits.ts'

/** Applies changes of a config to a chat, as far as the server lets it be set. */
export interface Applying {
  /** Undefined until the server has said what may be set. */
  readonly may: ((edits: readonly Edit[]) => boolean) | undefined
  readonly apply: (edits: readonly Edit[]) => Promise<void>
}

interface ApplyingOptions {
  readonly client: Client
  readonly place: Place
  /** Gives the chat a conversation on the server, if it has none yet. @throws {ServerError} */
  readonly ensure: () => Promise<Place>
  readonly onApplied: () => void
}

/** What applies changes to the conversation of a place. */
export function useApplying(options: ApplyingOptions): Applying {
  const { client, place, ensure, onApplied } = options
  const { value } = useLoaded(
    (signal) => loadSettings(client, place, { locale: language, signal }),
    placeQuery(place),
  )
  const may = value && ((edits: readonly Edit[]) => pointersOf(edits).every(isSettable))
  const isSettable = (pointer: string) => maySet(value?.settable ?? [], pointer)
  const apply = async (edits: readonly Edit[]) => {
    const change = { data: dataOf(edits), unset: [] }
    await changeSettings(client, await ensure(), { change, locale: language })
    onApplied()
  }
  return { may, apply }
}

interface ApplyButtonProps {
  readonly edits: readonly Edit[]
  readonly applying: Applying
}

/** Applies a change to the conversation, or tells what would have to be allowed. */
export function ApplyButton({ edits, applying }: ApplyButtonProps) {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  if (!applying.may) return null
  if (!applying.may(edits)) {
    const pointers = pointersOf(edits).join(', ')
    return <p class="drawer-note">{t('whyNotSettable', { pointers })}</p>
  }
  const press = async () => {
    setBusy(true)
    try {
      await applying.apply(edits)
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      setFault(t('failed', { message: thrown.message }))
      setBusy(false)
    }
  }
  return (
    <>
      <button
        type="button"
        class="drawer-button why-apply"
        disabled={isBusy}
        onClick={() => void press()}
      >
        {t('whyApply')}
      </button>
      {fault && <p role="alert">{fault}</p>}
    </>
  )
}
