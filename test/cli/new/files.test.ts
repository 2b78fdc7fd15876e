import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { filesOf, type NewFile } from '../../../src/cli/new/files.ts'
import { LANGUAGES, type Wanted } from '../../../src/cli/new/wanted.ts'
import { KINDS } from '../../../src/plugin/index.ts'
import { ROOT } from '../../helpers/source-files.ts'

const TEMPLATES = join(ROOT, 'src/cli/templates')

function files(
  wanted: Partial<Wanted> = {},
  tags: readonly string[] = ['text'],
): readonly NewFile[] {
  const usual = { kind: 'tool', name: 'tea-time', language: 'typescript' } as const
  return filesOf({ ...usual, ...wanted, version: '1.2.3', tags }, TEMPLATES)
}

function textOf(made: readonly NewFile[], path: string): string {
  return made.find((file) => file.path === path)?.text ?? expect.fail(`no ${path}`)
}

interface Package {
  readonly dependencies: { readonly [name: string]: string }
  readonly devDependencies: { readonly [name: string]: string }
}

describe('the files of a new package', () => {
  for (const language of LANGUAGES) {
    for (const kind of KINDS) {
      it(`have no placeholder left, for a ${kind} in ${language}`, () => {
        const made = files({ kind, language })
        const paths = made.map(({ path }) => path)
        expect(paths).to.include.members(['.gitignore', '.github/workflows/ci.yml', 'README.md'])
        expect(paths.join('\n')).not.to.match(/dot-|\bmodule\b/)
        for (const { path, text } of made) expect(text, path).not.to.match(/(?<!\$)\{\{/)
      })
    }
  }

  it('depend on the version of Braidwork that wrote them', () => {
    const own = JSON.parse(textOf(files(), 'package.json')) as Package
    expect(own.dependencies).to.deep.equal({ '@braidwork/plugin': '1.2.3' })
    expect(own.devDependencies['@braidwork/testing']).to.equal('1.2.3')
  })

  it('depend on the other packages in the versions of this repository', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Package
    const own = JSON.parse(textOf(files({ kind: 'provider' }), 'package.json')) as Package
    const { devDependencies: here } = read('package.json')
    expect(own.devDependencies['typescript']).to.equal(here['typescript'])
    expect(own.devDependencies['@types/node']).to.equal(here['@types/node'])
    const parser = 'eventsource-parser'
    const range = read('providers/model-api/package.json').dependencies[parser] ?? ''
    expect(range.split(' || ')).to.include(own.dependencies[parser])
  })

  it('call a Python package and its parts by the name', () => {
    const made = files({ kind: 'extension', language: 'python' })
    expect(made.map(({ path }) => path)).to.include('braidwork_tea_time/plugin.py')
    expect(textOf(made, 'pyproject.toml')).to.include(
      '"extension.tea-time" = "braidwork_tea_time.plugin"',
    )
  })

  it('write few tags into a line, and many below each other', () => {
    const few = files({ kind: 'feature' }, ['text', 'tools'])
    expect(textOf(few, 'src/index.ts')).to.include("  requiredTags: ['text', 'tools'],\n")
    const many = Array.from({ length: 12 }, (_, at) => `tag-${at}`)
    const long = textOf(files({ kind: 'feature' }, many), 'src/index.ts')
    expect(long).to.include("  requiredTags: [\n    'tag-0',\n")
    expect(long).to.include("    'tag-11',\n  ],\n")
    const python = files({ kind: 'feature', language: 'python' }, ['text', 'tools'])
    expect(textOf(python, 'braidwork_tea_time/plugin.py')).to.include(
      '    required_tags = ["text", "tools"]\n',
    )
  })
})
