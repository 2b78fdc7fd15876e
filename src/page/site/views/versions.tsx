import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Chat } from '../chat/index.ts'
import { IconButton } from '../controls/index.ts'
import { t } from '../words/index.ts'

interface VersionsProps {
  readonly chat: Chat
  readonly messageId: string
}

/** The version that a person has just gone to: the focus follows, since another message has another button. */
let goneTo: { readonly id: string; readonly step: number } | undefined

/** Leads to the other versions of a message, and what was said after them. */
export function VersionsView({ chat, messageId }: VersionsProps) {
  const group = useRef<HTMLFieldSetElement>(null)
  const all = chat.versions.value.find((one) => one.messageId === messageId)
  const { ids = [], current = 0 } = all ?? {}
  const isOff = chat.status.value !== 'ready'
  useLayoutEffect(() => {
    if (isOff || !goneTo || goneTo.id !== ids[current]) return
    const [before, after] = group.current?.querySelectorAll('button') ?? []
    const wanted = goneTo.step < 0 ? [before, after] : [after, before]
    wanted.find((button) => button && !button.disabled)?.focus({ preventScroll: true })
    goneTo = undefined
  })
  if (!all) return null
  const go = (step: number) => {
    const id = ids[current + step]
    if (id === undefined) return
    goneTo = { id, step }
    void chat.showVersion(id)
  }
  const place = { at: current + 1, count: ids.length }
  return (
    <fieldset ref={group} class="versions" aria-label={t('versions')}>
      <IconButton
        icon="before"
        name={t('versionBefore')}
        isOff={isOff || current === 0}
        onClick={() => go(-1)}
      />
      <span aria-hidden="true">
        {place.at}/{place.count}
      </span>
      <span class="unseen" role="status">
        {t('versionOf', place)}
      </span>
      <IconButton
        icon="after"
        name={t('versionAfter')}
        isOff={isOff || current === ids.length - 1}
        onClick={() => go(1)}
      />
    </fieldset>
  )
}

/** Leads to what followed the last message before it was answered again. */
export function FurtherVersions({ chat }: { readonly chat: Chat }) {
  const newest = chat.versions.value.find(({ messageId }) => messageId === undefined)?.ids.at(-1)
  if (newest === undefined) return null
  return (
    <button type="button" class="earlier" onClick={() => void chat.showVersion(newest)}>
      {t('versionFurther')}
    </button>
  )
}
