import type { StoredFile } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { HonoRequest } from 'hono/request'
import { readBytes } from '../bodies/index.ts'
import type { RouteVariables, Services } from '../context.ts'
import { conversationOf } from './conversations.ts'

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/
const HASH = /^[0-9a-f]{64}$/

const FORM = 'multipart/form-data'

/** The most bytes of a form beside its file. */
const AROUND_FILE = 64 << 10

interface SentFile {
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly name?: string
}

/** The routes for files of conversations. The body of an upload is the file itself, or a form with one file. */
export function fileRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { storage, limits, quotas } = services

  app.post('/api/conversations/:id/files', async (c) => {
    const { owner, id, createdAt } = await conversationOf(c, services)
    const mediaType = mediaTypeOf(c.req.header('content-type'))
    await quotas.assertRoom(c.get('identity'), { files: 1 })
    const sent = await sentFile(c.req.raw, mediaType, limits.file)
    const name = (c.req.query('name') ?? sent.name)?.slice(0, 255)
    const file = { ...sent, ...(name === undefined ? {} : { name }) }
    const size = file.bytes.byteLength
    const need = { bytes: size, files: 1 }
    const hash = await quotas.keep(c.get('identity'), need, () =>
      storage.files.put(owner, file, id, createdAt),
    )
    const base = c.req.path.slice(0, c.req.path.lastIndexOf('/api/conversations/'))
    const url = `${base}/api/files/${hash}`
    return c.json({ hash, mediaType: file.mediaType, size, url }, 201)
  })

  app.get('/api/files/:hash', async (c) => {
    const hash = c.req.param('hash')
    const file = HASH.test(hash) ? await storage.files.load(c.get('identity').id, hash) : undefined
    if (!file) throw new HostError('METHOD_UNKNOWN', 'There is no such file.')
    return responseWith(file, file.mediaType)
  })

  app.get('/api/conversations/:id/results/:hash', async (c) => {
    const { owner, id } = await conversationOf(c, services)
    const hash = c.req.param('hash')
    const file = HASH.test(hash) ? await storage.files.load(owner, hash, id) : undefined
    if (!file) throw new HostError('METHOD_UNKNOWN', 'The conversation has no such result.')
    const { mediaType } = file
    // Without a charset, a browser guesses; texts of tools are stored in UTF-8.
    const charset = mediaType === 'text/plain' ? '; charset=utf-8' : ''
    return responseWith(file, mediaType + charset)
  })
}

/** A response with a file of unknown origin. A web page in it must not run as a page of this server. */
function responseWith({ bytes }: StoredFile, contentType: string): Response {
  return new Response(bytes.slice(), {
    headers: {
      'content-type': contentType,
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    },
  })
}

/** Returns a media type without its parameters. @throws {HostError} REQUEST_INVALID */
function mediaTypeOf(given = ''): string {
  const mediaType = given.split(';')[0]?.trim().toLowerCase() ?? ''
  if (MEDIA_TYPE.test(mediaType)) return mediaType
  throw new HostError(
    'REQUEST_INVALID',
    '"Content-Type" must give the media type of the file, such as image/png.',
    {
      pointer: '/Content-Type',
    },
  )
}

/** Reads the file that a request brings. @throws {HostError} REQUEST_INVALID, REQUEST_TOO_LARGE */
async function sentFile(request: Request, mediaType: string, most: number): Promise<SentFile> {
  const name = 'limits.file'
  if (mediaType !== FORM) return { mediaType, bytes: await readBytes(request, { most, name }) }
  const form = await readBytes(request, { most: most + AROUND_FILE })
  const file = await fileOfForm(request, form)
  if (file.bytes.byteLength <= most) return file
  const message = `The file is larger than ${most} bytes, the limit in the server's "${name}".`
  throw new HostError('REQUEST_TOO_LARGE', message)
}

/** Reads the file from a form, as a page sends it with `FormData`. @throws {HostError} REQUEST_INVALID */
async function fileOfForm({ url, headers }: Request, bytes: Uint8Array): Promise<SentFile> {
  const type = headers.get('content-type') ?? ''
  const body = Buffer.from(bytes)
  const sent = new Request(url, { method: 'POST', headers: { 'content-type': type }, body })
  const form = await new HonoRequest(sent).parseBody({ all: true }).catch(() => ({}))
  const files = Object.values(form)
    .flat()
    .filter((value) => value instanceof File)
  const [file] = files
  if (!file || files.length > 1) {
    const found = files.length === 0 ? 'no file' : `${files.length} files`
    const message = `The form has ${found}; send one, or the file itself as the body.`
    throw new HostError('REQUEST_INVALID', message)
  }
  const mediaType = mediaTypeOf(file.type || 'application/octet-stream')
  return { mediaType, bytes: new Uint8Array(await file.arrayBuffer()), name: file.name }
}
