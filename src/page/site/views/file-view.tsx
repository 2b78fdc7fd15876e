import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { FilePart } from '../message/index.ts'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'

/** A file of a message: a picture is shown where it is the server's own, others are named. */
export function FileView({ client, file }: { readonly client: Client; readonly file: FilePart }) {
  const { url, mediaType, filename = mediaType } = file
  const own = useOwnPicture(client, file)
  if (own) return <img class="picture-file" src={own} alt={filename} />
  const address = URL.parse(url, location.href)
  const isRemote = address?.protocol === 'https:' || address?.protocol === 'http:'
  if (!isRemote || address.origin === location.origin) return <p class="file">{filename}</p>
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
