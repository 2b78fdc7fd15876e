import { expect } from 'chai'
import { isPath } from '../../../src/core/load/locate.ts'

describe('a reference to a plugin', () => {
  for (const path of ['.', '..', './a', '../a', '/a', '.\\a', '..\\a', '\\a', './']) {
    it(`is a path as ${path}`, () => expect(isPath(path)).to.equal(true))
  }

  for (const name of ['a', 'a/b', '@a/b', '.a', '..a', '...', '']) {
    it(`is the name of a package as "${name}"`, () => expect(isPath(name)).to.equal(false))
  }
})
