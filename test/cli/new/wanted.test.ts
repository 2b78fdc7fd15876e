import { expect } from 'chai'
import { checkWanted, type Said } from '../../../src/cli/new/wanted.ts'
import { readManifest } from '../../../src/core/load/index.ts'
import { SHIPPED_PACKAGES } from '../../../src/core/load/shipped-packages.ts'
import { HostError } from '../../../src/plugin/index.ts'
import { packageFolders } from '../../helpers/source-files.ts'

function faultOf(said: Partial<Said>, taken: readonly string[] = []): string {
  try {
    checkWanted({ kind: 'tool', name: 'kit', ...said }, taken)
  } catch (error) {
    if (HostError.is(error)) return `${error.code}: ${error.message}`
  }
  return ''
}

describe('what "braidwork new" is asked for', () => {
  it('is TypeScript by default', () => {
    expect(checkWanted({ kind: 'tool', name: 'kit' }, [])).to.deep.equal({
      kind: 'tool',
      name: 'kit',
      language: 'typescript',
    })
  })

  it('has a name that npm, a manifest and Python take', () => {
    for (const name of ['a', 'a-b', 'kit2', 'x'.repeat(64)]) expect(faultOf({ name })).to.equal('')
    const wrong = ['', 'Kit', 'kit_2', '2-kit', 'kit-', 'a--b', 'kit.js', 'é', '@me/kit', 'k it']
    for (const name of [...wrong, 'x'.repeat(65), 'constructor', '__proto__', '-kit'])
      expect(faultOf({ name }), name).to.match(/^OPTION_INVALID: /)
  })

  it('is told that a name begins with a letter', () => {
    expect(faultOf({ name: '1abc' })).to.include('Begin with a letter')
  })

  it('has a name, and no path', () => {
    for (const name of ['./kit', '../kit', '/kit', 'a/b', 'a\\b', '.', '..', '.kit'])
      expect(faultOf({ name }), name).to.include('is a path')
  })

  it('has a name that no other plugin has', () => {
    expect(faultOf({ name: 'shout' }, ['shout'])).to.match(/^PLUGIN_NAME_TAKEN: .*"shout"/)
    expect(faultOf({ name: 'openai' }), 'one that may not be installed').to.include('TAKEN')
  })

  it('knows the names of all shipped plugins', () => {
    const names = packageFolders().flatMap((folder) => readManifest(folder)?.plugins ?? [])
    expect([...SHIPPED_PACKAGES.keys()].sort()).to.deep.equal(names.map(({ name }) => name).sort())
  })

  it('says which kinds and languages there are', () => {
    expect(faultOf({ kind: 'tol' })).to.include('Did you mean "tool"?')
    expect(faultOf({ language: 'rust' })).to.include('It is one of "typescript", "python".')
  })

  it('is for a provider only if it runs beside one', () => {
    expect(faultOf({ kind: 'extension', for: 'openai' })).to.equal('')
    expect(faultOf({ kind: 'feature', for: 'openai' })).to.equal('')
    for (const kind of ['tool', 'provider'])
      expect(faultOf({ kind, for: 'openai' })).to.include('--for is for extensions and features')
  })
})
