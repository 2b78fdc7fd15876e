import type { Hono } from 'hono'
import { HostError } from '../../errors.ts'
import { readBytes } from '../body.ts'
import type { Services, Variables } from '../context.ts'
import { conversationOf } from './conversations.ts'

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/
const HASH = /^[0-9a-f]{64}$/

/** Files that belong to conversations: the body of an upload is the file itself. */
export function fileRoutes(app: Hono<{ Variables: Variables }>, services: Services): void {
  const { storage, limits } = services

  app.post('/api/conversations/:id/files', async (c) => {
    const { owner, id } = await conversationOf(c, services)
    const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (!MEDIA_TYPE.test(mediaType)) {
      throw new HostError('REQUEST_INVALID', 'Say what the file is, by "Content-Type".', {
        pointer: '/Content-Type',
      })
    }
    const bytes = await readBytes(c.req.raw, limits.file)
    const name = c.req.query('name')?.slice(0, 255)
    const file = { mediaType, bytes, ...(name === undefined ? {} : { name }) }
    const hash = await storage.files.put(owner, file, id)
    const base = c.req.path.slice(0, c.req.path.lastIndexOf('/api/conversations/'))
    return c.json(
      { hash, mediaType, size: bytes.byteLength, url: `${base}/api/files/${hash}` },
      201,
    )
  })

  app.get('/api/files/:hash', async (c) => {
    const hash = c.req.param('hash')
    const file = HASH.test(hash) ? await storage.files.load(c.get('identity').id, hash) : undefined
    if (!file) throw new HostError('METHOD_UNKNOWN', 'There is no such file.')
    return new Response(file.bytes.slice(), {
      headers: {
        'content-type': file.mediaType,
        // A page that somebody uploaded must not run as one of this server's.
        'content-disposition': 'attachment',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=31536000, immutable',
      },
    })
  })
}
