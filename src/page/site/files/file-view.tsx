import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { linkAddress } from '../markdown/index.ts'
import { type FilePart, unhidden } from '../message/index.ts'
import { faultText } from '../reasons/index.ts'
import { type Client, ServerError } from '../server/index.ts'
import { t } from '../words/index.ts'
import { dataIn } from './data-address.ts'
import { save } from './save.ts'

interface FileProps {
  readonly client: Client
  readonly file: FilePart
}

/**
 * A file of a message: a picture of the message or of the server is shown, their other files can be saved, and those of
 * others are links.
 */
export function FileView({ client, file }: FileProps) {
  const { url, mediaType } = file
  const filename = nameOf(file) ?? mediaType
  const own = useOwnPicture(client, file)
  if (own) return <img class="picture-file" src={own} alt={filename} />
  const address = URL.parse(url, location.href)
  if (!address) return <p class="file">{filename}</p>
  const { origin, protocol } = address
  if (origin === location.origin || protocol === 'data:') {
    return <Saved client={client} file={file} />
  }
  if (!linkAddress(address.href)?.startsWith('http')) return <p class="file">{filename}</p>
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

/** The name of a file: a stream has it in what Braidwork says of the part. */
function nameOf({ filename, providerMetadata }: FilePart): string | undefined {
  const { filename: told } = Object(providerMetadata?.['braidwork']) as {
    readonly filename?: unknown
  }
  const name = filename ?? (typeof told === 'string' ? told : undefined)
  return name === undefined ? undefined : unhidden(name)
}

/** A file that the person can save: the message has it, or the server, which gives it with the token of the person. */
function Saved({ client, file }: FileProps) {
  const name = nameOf(file)
  const fault = useSignal<string | undefined>(undefined)
  const press = async () => {
    fault.value = undefined
    try {
      // A browser gives a file without an ending the one of its type.
      save(await bytesOf(client, file), name ?? t('file'))
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      fault.value = faultText(thrown)
    }
  }
  const filename = name ?? file.mediaType
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

/** @throws {ServerError} */
async function bytesOf(client: Client, { url, mediaType }: FilePart): Promise<Blob> {
  const { href, protocol } = new URL(url, location.href)
  if (protocol !== 'data:') return (await client.send(href)).blob()
  return new Blob([dataIn(href)], { type: mediaType })
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
