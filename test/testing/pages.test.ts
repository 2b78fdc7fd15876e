import { join } from 'node:path'
import { expect } from 'chai'
import { placeOf } from '../../src/testing/pages.ts'
import { ROOT } from '../helpers/source-files.ts'

describe('a place of the docs', () => {
  it('is a file from the working folder', () => {
    const folder = join(ROOT, 'docs')
    expect(placeOf('hooks.md#init', folder)).to.equal(
      join(folder, 'hooks.md#init').slice(process.cwd().length + 1),
    )
  })

  it('is a whole path for pages that are not below the working folder', () => {
    const cwd = process.cwd()
    process.chdir(join(ROOT, 'test'))
    try {
      const folder = join(ROOT, 'docs')
      expect(placeOf('hooks.md#init', folder)).to.equal(join(folder, 'hooks.md#init'))
    } finally {
      process.chdir(cwd)
    }
  })

  it('is one of the package with the guides, where there are no pages', () => {
    const place = 'docs/hooks.md#init in https://www.npmjs.com/package/braidwork'
    expect(placeOf('hooks.md#init', join(ROOT, 'nowhere'))).to.equal(place)
    expect(placeOf('gone.md', join(ROOT, 'docs'))).to.match(/^docs\/gone\.md in https:/)
  })
})
