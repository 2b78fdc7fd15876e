import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { wellTyped } from '../../../scripts/mutants/types.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { write } from './broken-project.ts'

describe('the type check of mutants', function () {
  this.timeout(60_000)
  let root = ''
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'mutants-types-'))
    const config = (include: string) =>
      JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: [include] })
    await write(root, 'src/page/package.json', '{}')
    await write(root, 'src/page/tsconfig.json', config('index.ts'))
    await write(root, 'src/page/index.ts', 'export {}\n')
    await write(root, 'src/page/site/tsconfig.json', config('*.ts'))
    await write(root, 'src/page/site/one.ts', "export const kind: 'tool' = 'tool'\n")
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  })
  after(() => rm(root, { recursive: true }))

  it('is that of the nearest tsconfig.json, which need not be that of the package', async () => {
    const place = { file: 'src/page/site/one.ts', line: 1, start: 28, end: 34 } as const
    const typed = { ...place, mutator: 'StringLiteral', replacement: '"tool"' }
    const mistyped = { ...place, mutator: 'StringLiteral', replacement: '""' }
    expect(await wellTyped(root, [typed, mistyped])).to.deep.equal([typed])
  })
})
