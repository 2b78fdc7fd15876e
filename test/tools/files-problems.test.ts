import { expect } from 'chai'
import { namesOf } from '../../tools/files/paths.ts'
import { Problem, problemWith } from '../../tools/files/problem.ts'

/** The sentence for an error that the file system gives. */
function sentenceFor(code: string): string {
  return (problemWith('a', Object.assign(new Error('internal'), { code })) as Problem).message
}

describe('a problem with a file', () => {
  const SENTENCES: { readonly [code: string]: string } = {
    ENOENT: '"a" does not exist; "list_files" lists existing files.',
    EACCES: '"a" cannot be accessed: permission denied.',
    EPERM: '"a" cannot be accessed: permission denied.',
    // FreeBSD names a link that is not followed otherwise than Linux and macOS.
    ELOOP: '"a" is a link, and links are not followed.',
    EMLINK: '"a" is a link, and links are not followed.',
    ENOTDIR: '"a" is not a folder, or is a link; links are not followed.',
    EISDIR: '"a" is a folder.',
    ENXIO: '"a" is not a regular file.',
    ENAMETOOLONG: '"a" has a name that is too long.',
    ENOSPC: '"a" cannot be written: the disk is full.',
    EROFS: '"a" cannot be written: the disk is read-only.',
    EEXIST: '"a" already exists and is something else.',
    EBUSY: '"a" cannot be used (EBUSY).',
  }
  for (const [code, sentence] of Object.entries(SENTENCES)) {
    it(`is told for ${code}`, () => expect(sentenceFor(code)).to.equal(sentence))
  }

  it('is told once, and only for errors of the file system', () => {
    const own = new Problem('wrong')
    const other = Object.assign(new Error('other'), { code: 'ERR_INVALID' })
    for (const error of [own, other, new Error('none'), 'text', null]) {
      expect(problemWith('a', error)).to.equal(error)
    }
  })
})

describe('a path on Windows', () => {
  const { platform } = process
  before(() => void Object.defineProperty(process, 'platform', { value: 'win32' }))
  after(() => void Object.defineProperty(process, 'platform', { value: platform }))

  for (const path of ['notes/con.txt', 'nul/b.txt', 'a/b:c', 'a./b']) {
    it(`is refused if one of its names is a trap: ${path}`, () => {
      expect(() => namesOf(path)).to.throw(Problem, 'does not allow for files')
    })
  }

  it('is taken if none of its names is a trap', () => {
    expect(namesOf('notes/console.txt')).to.deep.equal(['notes', 'console.txt'])
  })
})
