import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

interface Manifest {
  readonly name: string
  readonly version: string
}

interface Published {
  readonly manifest: Manifest
  readonly tarball: Buffer
}

export interface NpmRegistry {
  readonly address: string
  /** Publishes packed packages. A later version is the newest. */
  readonly publish: (...tarballs: readonly string[]) => Promise<void>
  /** Answers requests for tarballs of this package with half of their bytes from now on. */
  readonly breakOff: (name: string) => void
  /** Answers nothing from now on, or only no requests for tarballs. @returns resolves with the first that comes */
  readonly hang: (only?: 'tarballs') => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * A registry on loopback that serves packed packages to npm. It sends questions for other packages to npm's own
 * registry, or answers that they do not exist.
 */
export async function npmRegistry(upstream?: string): Promise<NpmRegistry> {
  const published = new Map<string, Published[]>()
  const broken = new Set<string>()
  let hanging: { readonly only: 'tarballs' | undefined; readonly asked: () => void } | undefined
  const server = createServer((request, response) => {
    if (hanging && (hanging.only === undefined || request.url?.includes('/-/'))) hanging.asked()
    else answer({ request, response, published, broken, upstream })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    address,
    hang: (only) =>
      new Promise((asked) => {
        hanging = { only, asked }
      }),
    publish: async (...tarballs) => {
      for (const path of tarballs) add(await readFile(path), published)
    },
    breakOff: (name) => broken.add(name),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function add(tarball: Buffer, published: Map<string, Published[]>): void {
  const manifest = manifestIn(tarball)
  const others = published.get(manifest.name) ?? []
  published.set(manifest.name, [...others, { manifest, tarball }])
}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly published: ReadonlyMap<string, readonly Published[]>
  readonly broken: ReadonlySet<string>
  readonly upstream: string | undefined
}

function answer({ request, response, published, broken, upstream }: Asked): void {
  const path = decodeURIComponent(request.url ?? '').slice(1)
  const [name = '', file] = path.split('/-/')
  const versions = published.get(name)
  if (versions === undefined) {
    const location = `${upstream ?? ''}${request.url?.slice(1)}`
    if (upstream === undefined) response.writeHead(404).end('{"error": "not found"}')
    else response.writeHead(302, { location }).end()
  } else if (file === undefined) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(packument(name, versions, `http://${request.headers.host}/`)))
  } else {
    const found = versions.find(({ manifest }) => file === `${manifest.version}.tgz`)
    sendTarball(response, found?.tarball ?? Buffer.alloc(0), broken.has(name))
  }
}

function sendTarball(response: ServerResponse, tarball: Buffer, isBroken: boolean): void {
  response.setHeader('content-length', tarball.length)
  if (!isBroken) {
    response.end(tarball)
    return
  }
  response.write(tarball.subarray(0, tarball.length / 2), () => response.destroy())
}

function packument(name: string, versions: readonly Published[], address: string): object {
  const described = versions.map(({ manifest, tarball }) => [
    manifest.version,
    {
      ...manifest,
      dist: {
        tarball: `${address}${name}/-/${manifest.version}.tgz`,
        integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
      },
    },
  ])
  const latest = versions.at(-1)?.manifest.version
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(described) }
}

const BLOCK = 512

/** Reads package/package.json of a tarball. A registry tells of it what an installer has to know. */
function manifestIn(tarball: Buffer): Manifest {
  const tar = gunzipSync(tarball)
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const name = textAt(tar, at, 100)
    const size = Number.parseInt(textAt(tar, at + 124, 12) || '0', 8)
    const content = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (name === 'package/package.json') return JSON.parse(content.toString('utf8')) as Manifest
    at += BLOCK * (1 + Math.ceil(size / BLOCK))
  }
  throw new Error('The tarball has no package.json.')
}

function textAt(tar: Buffer, at: number, length: number): string {
  return (
    tar
      .subarray(at, at + length)
      .toString('utf8')
      .split('\0', 1)[0] ?? ''
  ).trim()
}
