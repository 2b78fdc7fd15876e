import { focusComposer, Icon } from '../controls/index.ts'
import { unhidden } from '../message/index.ts'
import { t } from '../words/index.ts'
import type { Draft } from './draft.ts'

/** What is sent with a text: long pasted texts, and files. */
export function Attached({ draft }: { readonly draft: Draft }) {
  const { files, pasted, uploading } = draft
  if (files.value.length + pasted.value.length + uploading.value.length === 0) return null
  return (
    <ul class="attached">
      {pasted.value.map((text, at) => (
        <Row
          key={`${at}`}
          name={t('pasted', { size: Math.ceil(text.length / 1000) })}
          onRemove={() => (pasted.value = pasted.value.toSpliced(at, 1))}
        />
      ))}
      {files.value.map((file) => (
        <Row
          key={file.url}
          name={file.filename ?? ''}
          onRemove={() => draft.hold(files.value.filter((one) => one !== file))}
        />
      ))}
      {uploading.value.map((name, at) => (
        <li key={`${at} uploading`} class="uploading" role="status">
          {t('uploading', { name })}
        </li>
      ))}
    </ul>
  )
}

interface RowProps {
  readonly name: string
  readonly onRemove: () => void
}

function Row({ name: given, onRemove }: RowProps) {
  const name = unhidden(given)
  const remove = () => {
    focusComposer()
    onRemove()
  }
  return (
    <li>
      {name}
      <button type="button" class="icon" aria-label={t('remove', { name })} onClick={remove}>
        <Icon name="close" />
      </button>
    </li>
  )
}
