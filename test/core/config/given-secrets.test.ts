import { expect } from 'chai'
import { GivenSecrets } from '../../../src/core/config/given-secrets.ts'

describe('the secrets of recent requests', () => {
  it('are masked the longest first, and short ones are not', () => {
    const given = new GivenSecrets()
    given.add(['abc', 'secret', 'secret-long'])
    expect(given.mask('abc secret-long secret')).to.equal('abc *** ***')
  })

  it('are forgotten from the one on that no request had for the longest time', () => {
    const given = new GivenSecrets()
    given.add(['secret-a', 'secret-b'])
    given.add(['secret-a'])
    given.add(Array.from({ length: 999 }, (_, at) => `other-${at}`))
    expect(given.mask('secret-a secret-b other-998')).to.equal('*** secret-b ***')
  })

  it('may contain half a character', () => {
    const given = new GivenSecrets()
    given.add(['secret\ud800'])
    expect(given.mask('a secret\ud800')).to.equal('a ***')
  })
})
