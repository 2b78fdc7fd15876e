import { type Dirent, readdirSync, statSync } from 'node:fs'
import { register } from 'node:module'
import { dirname, join } from 'node:path'

/** What a module's address carries when it was loaded again; its own imports carry it on. */
const QUERY = 'braidwork-version'

/** More files than a plugin has; a folder with more is looked at so far. */
const MOST_FILES = 5000

/**
 * When a plugin last changed on disk: the latest change of a file in its module's folder or below, but for
 * what it depends on, in milliseconds since 1970; 0 where nothing is there.
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

/** The address under which a version of a module is loaded, and is not the one that was loaded before. */
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
    // It went while it was looked at.
    return []
  }
}

function changeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Runs beside the program: what a versioned module imports by path gets its version. */
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
