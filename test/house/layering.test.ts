import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  findCircle,
  importFaults,
  PACKAGES,
  packageFor,
  roomGraph,
  shownGraph,
} from '../../scripts/layers.ts'
import { importsOf, packageOf, ROOT, sourceFiles, targetOf } from '../helpers/source-files.ts'

const FILES = sourceFiles('src').filter(({ path }) => /\.tsx?$/.test(path))

interface Manifest {
  readonly name: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly exports: { readonly [door: string]: unknown }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
}

describe('the packages of src', () => {
  for (const { folder, name } of PACKAGES) {
    const own = FILES.filter(({ path }) => path.startsWith(`${folder}/`))

    it(`${name} imports packages above it by name, and its own rooms by their faces`, () => {
      expect(own.length).to.be.above(0)
      expect(own.flatMap(importFaults)).to.deep.equal([])
    })

    it(`${name} imports what its package.json depends on, by doors that are there`, () => {
      const { dependencies = {} } = manifestOf(folder)
      const doors = own.flatMap((file) => importsOf(file).map(({ from }) => from))
      for (const from of new Set(doors)) {
        const other = PACKAGES.find((one) => one.name === packageOf(from))
        if (!other || other.name === '@braidwork/python') continue
        expect(dependencies, `${folder}/package.json`).to.have.property(other.name)
        const door = `.${from.slice(other.name.length)}`
        expect(manifestOf(other.folder).exports, other.name).to.have.property(door)
      }
    })
  }

  it('hold every file of src', () => {
    expect(FILES.filter(({ path }) => !packageFor(path)).map(({ path }) => path)).to.deep.equal([])
  })

  it('have rooms that import one way: no circle, of values or of types', () => {
    expect(findCircle(roomGraph(FILES))).to.equal(undefined)
  })

  it('have files that import one way too', () => {
    const graph = FILES.map(
      (file) =>
        [
          file.path,
          new Set(importsOf(file).flatMap(({ from }) => targetOf(file, from) ?? [])),
        ] as const,
    )
    expect(findCircle(new Map(graph))).to.equal(undefined)
  })

  it('are drawn in ARCHITECTURE.md as they are; "npm run docs" draws them', () => {
    const graph = shownGraph(FILES)
    process.stdout.write(`${graph.replaceAll(/^/gm, '      ')}\n`)
    expect(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')).to.include(graph)
  })
})

describe('the check of layers', () => {
  it('catches a package above, a path into a package, and a way past a face, of values, types and later loads', () => {
    const planted = {
      path: 'src/core/chain/planted.ts',
      text: `import { run } from '@braidwork/agent'
import type { Storage } from '@braidwork/agent/internal'
import { resolve } from '../resolve/resolve.ts'
export { type Config } from '../config/layers.ts'
const later = () => import('../../cli/braidwork.ts')
import { itself } from '@braidwork/core'
import { HostError } from '@braidwork/plugin'
import { resolve as fine } from '../resolve/index.ts'
import { own } from './prepare.ts'
import { turnFor } from '../pace.ts'
`,
    }
    expect(importFaults(planted).map((line) => line.split(' → ')[1])).to.deep.equal([
      '@braidwork/agent: its package stands higher',
      '@braidwork/agent/internal: its package stands higher',
      '../resolve/resolve.ts: it goes past the face',
      '../config/layers.ts: it goes past the face',
      '@braidwork/core: a package does not import itself by name',
      '../../cli/braidwork.ts: another package is imported by its name',
    ])
  })

  it('catches a circle of three rooms', () => {
    const circle = [
      { path: 'src/core/a/one.ts', text: `import type { B } from '../b/index.ts'` },
      { path: 'src/core/b/index.ts', text: `import { c } from '../c.ts'` },
      { path: 'src/core/c.ts', text: `export { a } from './a/index.ts'` },
    ]
    expect(findCircle(roomGraph(circle))).to.deep.equal([
      'src/core/a',
      'src/core/b',
      'src/core/c.ts',
      'src/core/a',
    ])
  })
})
