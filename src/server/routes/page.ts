import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { accepts } from 'hono/accepts'
import type { RouteVariables } from '../context.ts'
import type { PageFile, PageFiles } from '../options/index.ts'

/** What the page may load: its own files, and pictures that it makes itself. */
const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const INDEX = 'index.html'
/** The names of these files change with their contents. */
const HASHED = 'page/'

/** The routes of the page's files, which say nothing of anybody: they need no authentication. */
export function pageRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  page: PageFiles,
  basePath = '',
): void {
  // The page names its files relative to its own address, which must end with a slash.
  if (basePath !== '') app.get(basePath, (c) => c.redirect(`${basePath}/`))
  app.get(`${basePath}/`, (c) => respondFile(c, page, INDEX))
  for (const path of page.keys()) {
    if (path !== INDEX) app.get(`${basePath}/${path}`, (c) => respondFile(c, page, path))
  }
}

async function respondFile(c: Context, page: PageFiles, path: string): Promise<Response> {
  const file = page.get(path)
  if (!file) return c.notFound()
  const cached = path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache'
  const headers = { ...HEADERS, 'content-type': file.type, 'cache-control': cached }
  const vary = { ...headers, vary: 'accept-encoding' }
  if (!isGzipAccepted(c)) return new Response(file.body, { headers: vary })
  return new Response(await gzipped(file), { headers: { ...vary, 'content-encoding': 'gzip' } })
}

function isGzipAccepted(c: Context): boolean {
  const supports = ['gzip', 'identity']
  return accepts(c, { header: 'Accept-Encoding', supports, default: 'identity' }) === 'gzip'
}

const zip = promisify(gzip)
const zipped = new WeakMap<PageFile, Promise<Uint8Array<ArrayBuffer>>>()

/** The bytes of a file, compressed once. RFC 9110, 8.4.1.3 */
function gzipped(file: PageFile): Promise<Uint8Array<ArrayBuffer>> {
  const found = zipped.get(file)
  if (found) return found
  const made = zip(file.body).then((bytes) => new Uint8Array(bytes))
  zipped.set(file, made)
  return made
}
