import type { Chat } from '../chat/index.ts'
import { save } from '../files/index.ts'
import { t } from '../words/index.ts'
import type { Reference } from './tool-facts.ts'

interface ReferencesProps {
  readonly chat: Chat
  readonly references: readonly Reference[]
}

/** Large results, which are read when somebody wants to have one. */
export function References({ chat, references }: ReferencesProps) {
  return (
    <>
      {references.map(({ hash, size }) => (
        <button key={hash} type="button" onClick={() => void download(chat, hash)}>
          {t('wholeResult', { size: Math.ceil(size / 1024) })}
        </button>
      ))}
    </>
  )
}

async function download(chat: Chat, hash: string): Promise<void> {
  const blob = await chat.result(hash)
  if (blob) save(blob, hash.slice(0, 12))
}
