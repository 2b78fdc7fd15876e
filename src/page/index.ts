import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A file of the page, as a server sends it. */
export interface PageFile {
  /** The media type, such as `text/css; charset=utf-8`. */
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** The files of the page by their paths, such as `index.html` and `page/index-4f2a.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>

const TYPES: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

const WITHOUT_RESOLVE =
  'The files of the page cannot be found: the program is bundled as CommonJS. Bundle it as an ES module.'

/** Reads the built page, for the option `page` of `createServer`. */
export async function pageFiles(): Promise<PageFiles> {
  const site = siteFolder()
  const entries = await readdir(site, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => new URL(entry.name, folderUrl(entry.parentPath)))
  const files = paths.map(async (path) => [relativeTo(site, path), await fileAt(path)] as const)
  return new Map(await Promise.all(files))
}

/** The folder is found by name, because a bundle of this module may be anywhere. */
function siteFolder(): URL {
  if (!('resolve' in import.meta)) throw new Error(WITHOUT_RESOLVE)
  return new URL('dist/site/', import.meta.resolve('@braidwork/page/package.json'))
}

async function fileAt(path: URL): Promise<PageFile> {
  const type = TYPES[extname(path.pathname)] ?? 'application/octet-stream'
  return { type, body: new Uint8Array(await readFile(path)) }
}

function folderUrl(path: string): URL {
  return pathToFileURL(`${path}/`)
}

function relativeTo(folder: URL, path: URL): string {
  return decodeURIComponent(path.pathname.slice(folder.pathname.length))
}
