/** The packages of the host and the rooms inside them: which imports are allowed, and which exist. */
import { join } from 'node:path'
import { importsOf, packageOf, type SourceFile, targetOf } from '../test/helpers/source-files.ts'

/** The packages, lowest first. A package imports only from packages before it, by name. */
export const PACKAGES: readonly Package[] = [
  { folder: 'src/plugin', name: '@braidwork/plugin' },
  { folder: 'src/request-guard', name: '@braidwork/request-guard' },
  { folder: 'src/core', name: '@braidwork/core' },
  { folder: 'src/python', name: '@braidwork/python' },
  { folder: 'src/agent', name: '@braidwork/agent' },
  { folder: 'src/testing', name: '@braidwork/testing' },
  { folder: 'src/a2a', name: '@braidwork/a2a' },
  { folder: 'src/ai-sdk', name: '@braidwork/ai-sdk' },
  { folder: 'src/store', name: '@braidwork/store' },
  { folder: 'src/server', name: '@braidwork/server' },
  { folder: 'src/page', name: '@braidwork/page' },
  { folder: 'src/cli', name: 'braidwork' },
]

export interface Package {
  /** Relative to the root, such as `src/core`. */
  readonly folder: string
  readonly name: string
}

/** The only upward import: core imports the Python package dynamically when a Python plugin is first named. */
const LOADED_WHEN_NAMED: ReadonlySet<string> = new Set(['src/core/load/python-loader.ts'])

/** Folders whose subfolders are rooms too. */
const NESTED: ReadonlySet<string> = new Set(['src/server/wire', 'src/page/site'])

/** The package of a file in src; `undefined` for a file outside of all packages. */
export function packageFor(path: string): Package | undefined {
  return PACKAGES.find(({ folder }) => path.startsWith(`${folder}/`))
}

/** The room of a file: a folder of a package, or the file itself if it is directly in the package. */
export function roomOf(path: string): string {
  const parts = path.split('/')
  const room = parts.slice(0, 3).join('/')
  return NESTED.has(room) && parts.length > 4 ? parts.slice(0, 4).join('/') : room
}

/** The only file of a room that other rooms may import. */
function faceOf(room: string): string {
  return /\.tsx?$/.test(room) ? room : `${room}/index.ts`
}

/** The forbidden imports of a file, one line each. */
export function importFaults(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ from }) => faultOf(file, from) ?? [])
}

function faultOf(file: SourceFile, from: string): string | undefined {
  const target = targetOf(file, from)
  const fault = target === undefined ? namedFault(file, from) : pathFault(file.path, target)
  return fault && `${file.path} → ${from}: ${fault}`
}

function namedFault({ path }: SourceFile, from: string): string | undefined {
  const imported = PACKAGES.findIndex(({ name }) => name === packageOf(from))
  const own = PACKAGES.findIndex(({ folder }) => path.startsWith(`${folder}/`))
  if (imported < 0 || imported < own) return undefined
  if (imported === own) return 'a package does not import itself by name'
  return LOADED_WHEN_NAMED.has(path) ? undefined : 'its package stands higher'
}

function pathFault(path: string, target: string): string | undefined {
  if (packageFor(target) !== packageFor(path)) return 'another package is imported by its name'
  const room = roomOf(target)
  return room === roomOf(path) || target === faceOf(room) ? undefined : 'it goes past the face'
}

/** The rooms that each room imports, sorted by name. */
export function roomGraph(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const room = roomOf(file.path)
    const imported = graph.get(room) ?? new Set()
    graph.set(room, imported)
    for (const { from } of importsOf(file)) {
      const target = targetOf(file, from)
      if (target !== undefined && roomOf(target) !== room) imported.add(roomOf(target))
    }
  }
  return graph
}

/** The nodes of a cycle in a graph; `undefined` if there is none. */
export function findCircle(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined {
  const done = new Set<string>()

  function walk(node: string, above: readonly string[]): readonly string[] | undefined {
    if (above.includes(node)) return [...above.slice(above.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const circle = walk(next, [...above, node])
      if (circle) return circle
    }
    done.add(node)
    return undefined
  }

  for (const node of graph.keys()) {
    const circle = walk(node, [])
    if (circle) return circle
  }
  return undefined
}

export const ARCHITECTURE_PATH = join(import.meta.dirname, '..', 'ARCHITECTURE.md')

const BLOCK = /(<!-- layers -->\n```\n).*?(```\n<!-- \/layers -->)/s

/** The text of ARCHITECTURE.md with the current graph. */
export function withGraph(text: string, files: readonly SourceFile[]): string {
  const graph = shownGraph(files.filter(({ path }) => /\.tsx?$/.test(path)))
  return text.replace(BLOCK, (_block, begin: string, end: string) => `${begin}${graph}\n${end}`)
}

/** The graph as in ARCHITECTURE.md: for each package the packages that it imports, and for each room the rooms. */
export function shownGraph(files: readonly SourceFile[]): string {
  const rooms = roomGraph(files)
  const lines = PACKAGES.flatMap(({ folder, name }) => {
    const own = files.filter(({ path }) => path.startsWith(`${folder}/`))
    const folders = [...rooms].filter(([room]) => isFolderOf(room, folder))
    return [
      `${name} → ${listed(packagesIn(own, name))}`,
      ...folders.map(
        ([room, imported]) => `  ${short(room, folder)} → ${listed(near(imported, folder))}`,
      ),
    ]
  })
  return lines.join('\n')
}

function isFolderOf(room: string, folder: string): boolean {
  return room.startsWith(`${folder}/`) && !/\.tsx?$/.test(room)
}

function near(rooms: ReadonlySet<string>, folder: string): readonly string[] {
  return [...rooms].filter((room) => isFolderOf(room, folder)).map((room) => short(room, folder))
}

function short(room: string, folder: string): string {
  return room.slice(folder.length + 1)
}

function packagesIn(files: readonly SourceFile[], own: string): readonly string[] {
  const direct = files.filter(({ path }) => !LOADED_WHEN_NAMED.has(path))
  const named = direct.flatMap((file) => importsOf(file).map(({ from }) => packageOf(from)))
  return PACKAGES.map(({ name }) => name).filter((name) => name !== own && named.includes(name))
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.toSorted().join(', ')
}
