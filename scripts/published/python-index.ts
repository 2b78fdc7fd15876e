/** A package index of Python on loopback: pages for pip and uv (PEP 503), and uploads as `uv publish` sends them. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

export interface PythonIndex {
  /** The folder of its files. */
  readonly folder: string
  /** The address for `PIP_INDEX_URL`. */
  readonly simple: string
  /** The address for `uv publish --publish-url`. */
  readonly uploads: string
  close(): Promise<void>
}

/** A wheel or a source distribution: its name, and then its version. */
const FILE = /^([a-zA-Z0-9._-]+?)-\d[\w.+!-]*(?:\.whl|\.tar\.gz)$/
const PROJECT = /^\/simple\/([^/]+)\/$/
const DOWNLOAD = /^\/files\/([^/]+)$/

/** Starts an index of the wheels and source distributions in a folder. */
export async function startPythonIndex(folder: string): Promise<PythonIndex> {
  await mkdir(folder, { recursive: true })
  const server = createServer((request, response) => {
    void answer(request, folder)
      .catch((error: unknown) => new Response(String(error), { status: 500 }))
      .then((given) => send(given, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { folder, simple: `${root}/simple/`, uploads: `${root}/uploads`, close }
}

async function answer(request: IncomingMessage, folder: string): Promise<Response> {
  const path = new URL(request.url ?? '/', 'http://index').pathname
  if (request.method === 'POST' && path === '/uploads') return upload(request, folder)
  const files = (await readdir(folder)).filter((name) => FILE.test(name))
  const file = DOWNLOAD.exec(path)?.[1]
  if (file !== undefined && files.includes(file)) {
    return new Response(await readFile(join(folder, file)))
  }
  const project = PROJECT.exec(path)?.[1]
  const names = [...new Set(files.map(projectOf))]
  if (path === '/simple/') return page(names.map((name) => link(`/simple/${name}/`, name)))
  const own = files.filter((name) => projectOf(name) === normalized(project ?? ''))
  if (own.length === 0) return new Response('there is no such page', { status: 404 })
  return page(await Promise.all(own.map((name) => fileLink(folder, name))))
}

/** Takes the file "content" of a form. As PyPI does, it refuses a file that it has already. */
async function upload(request: IncomingMessage, folder: string): Promise<Response> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated for servers of strangers; this one has one client
  const form = await new Response(await buffer(request), { headers }).formData()
  const given = form.get('content')
  const file = typeof given === 'string' ? undefined : given
  const name = basename(file?.name ?? '')
  if (!file || !FILE.test(name)) {
    return new Response('the form has no wheel and no source distribution', { status: 400 })
  }
  const content = Buffer.from(await file.arrayBuffer())
  await writeFile(join(folder, name), content, { flag: 'wx' })
  return new Response()
}

async function fileLink(folder: string, name: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(join(folder, name)))
    .digest('hex')
  return link(`/files/${name}#sha256=${hash}`, name)
}

function link(address: string, text: string): string {
  return `<a href="${address}">${text}</a><br>`
}

function page(links: readonly string[]): Response {
  const text = `<!DOCTYPE html><html><body>\n${links.join('\n')}\n</body></html>\n`
  return new Response(text, { headers: { 'content-type': 'text/html' } })
}

function projectOf(file: string): string {
  return normalized(FILE.exec(file)?.[1] ?? '')
}

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[._-]+/g, '-')
}

async function send(given: Response, response: ServerResponse): Promise<void> {
  response.writeHead(given.status, Object.fromEntries(given.headers))
  response.end(Buffer.from(await given.arrayBuffer()))
}
