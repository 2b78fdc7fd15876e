import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { replaceFile } from '../../../src/cli/settings/target-file.ts'
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

  it('takes a byte order mark for no change', () => {
    const path = join(folder(), 'a.json')
    for (const before of ['{}', '\uFEFF{}']) {
      writeFileSync(path, '\uFEFF{}')
      replaceFile(path, before, '{"a":1}')
      expect(readFileSync(path, 'utf8')).to.equal('{"a":1}')
    }
  })
})
