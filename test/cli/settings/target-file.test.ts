import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { replaceFile, writeTarget } from '../../../src/cli/settings/target-file.ts'
import { useConfigFolder } from '../../helpers/config-folder.ts'

describe('replaceFile', () => {
  const folder = useConfigFolder()

  it('refuses a file that another program changed, created or removed', () => {
    const path = join(folder(), 'a.json')
    expect(() => replaceFile(path, '{}', '{"a":1}')).to.throw('another program changed it')
    writeFileSync(path, '{"b":1}')
    expect(() => replaceFile(path, '{}', '{"a":1}')).to.throw('another program changed it')
    expect(() => replaceFile(path, undefined, '{"a":1}')).to.throw('another program changed it')
    expect(readFileSync(path, 'utf8')).to.equal('{"b":1}')
  })

  it('takes a byte order mark for no change, and keeps it', () => {
    const path = join(folder(), 'a.json')
    for (const before of ['{}', '\uFEFF{}']) {
      for (const after of ['{"a":1}', '\uFEFF{"a":1}']) {
        writeFileSync(path, '\uFEFF{}')
        replaceFile(path, before, after)
        expect(readFileSync(path, 'utf8')).to.equal('\uFEFF{"a":1}')
      }
    }
    writeFileSync(path, '{}')
    replaceFile(path, '{}', '{"a":1}')
    expect(readFileSync(path, 'utf8')).to.equal('{"a":1}')
  })

  it('is what the form of settings writes with', () => {
    const path = join(folder(), 'a.json')
    writeFileSync(path, '\uFEFF{ "seed": 1 } // mine\r\n')
    writeTarget({ path, text: '{ "seed": 1 } // mine\r\n', own: { seed: 1 } }, { seed: 2 })
    expect(readFileSync(path, 'utf8')).to.equal('\uFEFF{ "seed": 2 } // mine\r\n')
  })
})
