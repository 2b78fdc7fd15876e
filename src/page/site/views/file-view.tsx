import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { FilePart } from '../message/index.ts'
import { type Client, ServerError } from '../server/index.ts'
import { t } from '../words/index.ts'
import { faultText } from './faults.ts'
import { save } from './save.ts'

interface FileProps {
  readonly client: Client
  readonly file: FilePart
}

/** A file of a message: a picture of the server is shown, other files of it can be saved, and those of others are links. */
export function FileView({ client, file }: FileProps) {
  const { url, mediaType, filename = mediaType } = file
  const own = useOwnPicture(client, file)
  if (own) return <img class="picture-file" src={own} alt={filename} />
  const address = URL.parse(url, location.href)
  if (address?.origin === location.origin) return <OwnFile client={client} file={file} />
  const isRemote = address?.protocol === 'https:' || address?.protocol === 'http:'
  if (!isRemote) return <p class="file">{filename}</p>
  return (
    <a
      class="file"
      href={address.href}
      target="_blank"
      rel="noopener noreferrer"
      title={t('openImage')}
    >
      {t('image', { host: address.host })}
    </a>
  )
}

/** A file that the server has, which it gives with the token of the person. */
function OwnFile({ client, file: { url, mediaType, filename = mediaType } }: FileProps) {
  const fault = useSignal<string | undefined>(undefined)
  const press = async () => {
    fault.value = undefined
    try {
      const response = await client.send(new URL(url, location.href).href)
      save(await response.blob(), filename)
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      fault.value = faultText(thrown)
    }
  }
  return (
    <>
      <button
        type="button"
        class="file"
        title={t('saveFile', { name: filename })}
        onClick={() => void press()}
      >
        {filename}
      </button>
      {fault.value !== undefined && <p role="alert">{fault.value}</p>}
    </>
  )
}

/** The address of a picture that the page may show. One of the server is read with the token of the person. */
function useOwnPicture(client: Client, { url, mediaType }: FilePart): string | undefined {
  const shown = useSignal<string | undefined>(undefined)
  useEffect(() => {
    if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(mediaType)) return
    const address = URL.parse(url, location.href)
    if (address?.protocol === 'data:') shown.value = address.href
    if (address?.origin !== location.origin) return
    const read = client.send(address.href).then((response) => response.blob())
    read.then(
      (blob) => (shown.value = URL.createObjectURL(blob)),
      () => undefined,
    )
    return () => {
      if (shown.value?.startsWith('blob:')) URL.revokeObjectURL(shown.value)
    }
  }, [url])
  return shown.value
}
