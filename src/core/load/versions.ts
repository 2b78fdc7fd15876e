import { type Dirent, readdirSync, statSync } from 'node:fs'
import { register } from 'node:module'
import { dirname, join } from 'node:path'

/** The query parameter in the URL of a reloaded module. Its imports inherit it. */
const QUERY = 'braidwork-version'

/** The most files that are inspected in a plugin's folder. */
const MOST_FILES = 5000

/**
 * Returns when a plugin's code last changed on disk, in milliseconds since 1970. This is the time of the newest file in
 * the folder of its module and in all subfolders, except `node_modules` and hidden ones. 0 if there are no files.
 */
export function versionOf(entry: string): number {
  let latest = 0
  let count = 0
  const folders = [dirname(entry)]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const child of entriesOf(folder)) {
      const path = join(folder, child.name)
      if (child.isDirectory()) folders.push(path)
      else if (child.isFile()) latest = Math.max(latest, changeOf(path))
      if (++count >= MOST_FILES) return latest
    }
  }
  return latest
}

/** The URL that loads a version of a module, even if another version of it was loaded before. */
export function addressOf(url: string, version: number | undefined): string {
  if (version === undefined) return url
  carryVersions()
  return `${url}?${QUERY}=${version}`
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    const children = readdirSync(folder, { withFileTypes: true })
    return children.filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
  } catch {
    // The folder was removed in the meantime.
    return []
  }
}

function changeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Module hooks of Node, run in a thread of their own: a versioned module's relative imports get the same version. */
const HOOKS = `
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  const version = /[?&]${QUERY}=[\\d.]+/.exec(context.parentURL ?? '')?.[0].slice(1)
  const isOwn = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/')
  if (!version || !isOwn || resolved.url.includes('?')) return resolved
  return { ...resolved, url: resolved.url + '?' + version }
}`

let isCarried = false

function carryVersions(): void {
  if (isCarried) return
  isCarried = true
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`)
}
