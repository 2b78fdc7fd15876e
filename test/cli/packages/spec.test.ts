import { expect } from 'chai'
import { parseSpec } from '../../../src/cli/packages/index.ts'

describe('the reference to a package of a registry', () => {
  it('is a name, perhaps with a scope, a version, a range or a tag', () => {
    expect(parseSpec('shout')).to.deep.equal({ name: 'shout' })
    expect(parseSpec('@me/shout')).to.deep.equal({ name: '@me/shout' })
    expect(parseSpec('@me/shout@next')).to.deep.equal({ name: '@me/shout', range: 'next' })
    expect(parseSpec('shout@>=1 <3')).to.deep.equal({ name: 'shout', range: '>=1 <3' })
  })

  it('is a distribution of PyPI, whose name is normalized', () => {
    expect(parseSpec('pypi:My_Shout')).to.deep.equal({ name: 'pypi:my-shout' })
    const range = '>=1.2,<2'
    expect(parseSpec(`pypi:shout${range}`)).to.deep.equal({ name: 'pypi:shout', range })
  })

  it('is no tarball, repository or address, for which npm is named', () => {
    const tarballs = ['x.tgz', './x.tgz', '/tmp/x.tar.gz', 'https://x.example/y.tgz']
    const others = ['git+https://x.example/y.git', 'git+ssh://me@x/y', 'github:me/x', 'me/x']
    for (const reference of [...tarballs, ...others])
      expect(() => parseSpec(reference), reference).to.throw(`npm install "${reference}"`)
  })

  it('is no option, path, address or alias', () => {
    const npm = ['-g', '--global', '', '@', 'a/b', 'A', 'x@', 'x@file:y', 'x@npm:y', 'x@a/b', '.x']
    const pypi = ['pypi:', 'pypi:-r', 'pypi:x @ https://y', 'pypi:x==', 'pypi:x[y]', 'pypi:x;y']
    for (const reference of [...npm, ...pypi, 'x@1\n2', 'git+ssh://x/y'])
      expect(() => parseSpec(reference), reference).to.throw('is not a package of a registry')
  })
})
