import { expect } from 'chai'
import { importsOf, type SourceFile, sourceFiles, targetOf } from '../helpers/source-files.ts'

/** The rooms of the host, lowest first. */
const ROOMS = [
  'errors.ts',
  'suggest.ts',
  'pace.ts',
  'regular-file.ts',
  'events',
  'plugin',
  'resolve',
  'schema',
  'chain',
  'python',
  'load',
  'host',
  'testing',
  'agent',
  'store',
  'remote',
  'wire',
  'server',
  'cli',
  'index.ts',
]

function roomOf(path: string): number {
  return ROOMS.indexOf(path.split('/')[1] ?? '')
}

/** Imports that leave a file's room for a higher one. */
function upwardImports(file: SourceFile): string[] {
  const targets = importsOf(file).flatMap(({ from }) => targetOf(file, from) ?? [])
  return targets.filter((target) => roomOf(target) > roomOf(file.path))
}

/** A circle of imports, as the paths along it, or nothing. */
function findCycle(files: readonly SourceFile[]): readonly string[] | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()

  function walk(path: string, above: readonly string[]): readonly string[] | undefined {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path]
    const file = byPath.get(path)
    if (!file || done.has(path)) return undefined
    for (const { from } of importsOf(file)) {
      const target = targetOf(file, from)
      const cycle = target === undefined ? undefined : walk(target, [...above, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }

  for (const { path } of files) {
    const cycle = walk(path, [])
    if (cycle) return cycle
  }
  return undefined
}

describe('the rooms of src', () => {
  const files = sourceFiles('src').filter(({ path }) => path.endsWith('.ts'))

  for (const file of files) {
    it(`${file.path} is in a known room and imports downwards only`, () => {
      expect(roomOf(file.path), 'its room').to.be.at.least(0)
      expect(upwardImports(file)).to.deep.equal([])
    })
  }

  it('have no circle of imports, of values or of types', () => {
    expect(findCycle(files)).to.equal(undefined)
  })

  it('reach no file outside src', () => {
    const outside = files.flatMap((file) =>
      importsOf(file)
        .map(({ from }) => targetOf(file, from) ?? 'src/')
        .filter((target) => !target.startsWith('src/'))
        .map((target) => `${file.path} → ${target}`),
    )
    expect(outside).to.deep.equal([])
  })
})

describe('the check of rooms', () => {
  it('catches an upward import of a value, a type or a module that is loaded later', () => {
    const planted = {
      path: 'src/events/planted.ts',
      text: `import { resolve } from '../resolve/index.ts'
import type { Config } from '../plugin/config.ts'
export { send } from '../chain/index.ts'
export * from '../host/index.ts'
import {
  type A,
  type B,
} from '../schema/layers.ts'
const later = () => import('../cli/braidwork.ts')
import { isObject } from './json.ts'
import { HostError } from '../errors.ts'
`,
    }
    expect(upwardImports(planted).sort()).to.deep.equal([
      'src/chain/index.ts',
      'src/cli/braidwork.ts',
      'src/host/index.ts',
      'src/plugin/config.ts',
      'src/resolve/index.ts',
      'src/schema/layers.ts',
    ])
  })

  it('catches a circle of three files', () => {
    const circle = [
      { path: 'src/events/a.ts', text: `import type { B } from './b.ts'` },
      { path: 'src/events/b.ts', text: `import { c } from './c.ts'` },
      { path: 'src/events/c.ts', text: `export { a } from './a.ts'` },
    ]
    expect(findCycle(circle)).to.deep.equal([
      'src/events/a.ts',
      'src/events/b.ts',
      'src/events/c.ts',
      'src/events/a.ts',
    ])
  })

  it('lets a file import from its own room and from lower ones', () => {
    const text = `import { a } from './a.ts'\nimport { b } from '../events/index.ts'`
    expect(upwardImports({ path: 'src/plugin/fine.ts', text })).to.deep.equal([])
  })
})
