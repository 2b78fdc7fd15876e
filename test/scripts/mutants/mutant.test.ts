import { expect } from 'chai'
import { isNear } from '../../../scripts/mutants/fate.ts'
import { roomOf, sourcesOf } from '../../../scripts/mutants/mutant.ts'
import { ROOT } from '../../helpers/source-files.ts'

describe('the sources that mutants are made of', () => {
  it('are those of rooms, plugins and templates, without tests and declarations', () => {
    const files = [...sourcesOf(ROOT, '.ts'), ...sourcesOf(ROOT, '.py')]
    expect(files).to.include.members([
      'src/core/host/host.ts',
      'src/page/site/chat/chat.ts',
      'src/cli/templates/typescript/tool/src/index.ts',
      'src/cli/templates/python/tool/module/plugin.py',
      'tools/clock/index.ts',
    ])
    expect(
      files.filter((file) => /\.d\.ts$|\.test\.ts$|_test\.py$|\/test_/.test(file)),
    ).to.deep.equal([])
  })
})

describe('the room of a mutant', () => {
  const mutantIn = (file: string) =>
    ({ file, line: 1, mutator: '', start: 0, end: 0, replacement: '' }) as const

  it('is the folder that its tests mirror', () => {
    expect(roomOf('src/core/chain/run.ts')).to.equal('src/core/chain')
    expect(
      isNear(mutantIn('src/core/chain/run.ts'), { file: 'test/core/chain/x.test.ts' }),
    ).to.equal(true)
    expect(
      isNear(mutantIn('src/core/chain/run.ts'), { file: 'test/core/host/x.test.ts' }),
    ).to.equal(false)
  })

  it('of the page has its tests in test/page, and those of a browser too', () => {
    const mutant = mutantIn('src/page/site/chat/chat.ts')
    for (const file of ['test/page/chat/x.test.ts', 'test/page/x.browser.test.ts']) {
      expect(isNear(mutant, { file }), file).to.equal(true)
    }
  })
})
