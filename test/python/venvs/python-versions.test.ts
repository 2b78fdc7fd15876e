import { expect } from 'chai'
import { areClauses, isAtLeast, meets } from '../../../src/python/venvs/python-versions.ts'

describe('versions of Python', () => {
  it('are compared as numbers, not as texts', () => {
    expect(isAtLeast('3.10.0', '3.9')).to.equal(true)
    expect(isAtLeast('3.9.18', '3.10')).to.equal(false)
    expect(isAtLeast('3.9.0', '3.9')).to.equal(true)
    expect(isAtLeast('4.0.0', '3.14')).to.equal(true)
  })

  const MEETING = [
    ['3.11.7', '>=3.10', true],
    ['3.11.7', '>= 3.10, < 3.13', true],
    ['3.13.0', '>=3.10,<3.13', false],
    ['3.12.9', '<=3.12', false],
    ['3.12.0', '<=3.12', true],
    ['3.12.1', '>3.12', true],
    ['3.12.0', '>3.12', false],
    ['3.12.1', '~=3.10', true],
    ['4.0.0', '~=3.10', false],
    ['3.10.4', '~=3.10.5', false],
    ['3.11.0', '~=3.10.5', false],
    ['3.11.7', '==3.11.*', true],
    ['3.12.0', '==3.11.*', false],
    ['3.11.7', '==3.11', false],
    ['3.11.0', '==3.11', true],
    ['3.9.1', '>=3.9,!=3.9.1', false],
    ['3.9.2', '>=3.9,!=3.9.1', true],
    ['3.9.2', '', true],
  ] as const

  for (const [version, clauses, answer] of MEETING) {
    it(`${version} ${answer ? 'meets' : 'does not meet'} "${clauses}"`, () => {
      expect(areClauses(clauses)).to.equal(true)
      expect(meets(version, clauses)).to.equal(answer)
    })
  }

  it('are not asked for in other ways', () => {
    for (const text of ['3.10', '^3.10', '>=3.x', '>=', '>=3.10 <4', '>=9'.padEnd(400, '9')]) {
      expect(areClauses(text), text).to.equal(false)
    }
  })
})
