import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SHIPPED_PACKAGES } from '../../../src/core/load/shipped-packages.ts'
import { ROOT } from '../../helpers/source-files.ts'

/** The folder `providers/model-api` has what providers share, and no plugin. */
const NO_PLUGIN = ['model-api']

describe('the names of the shipped plugins', () => {
  it('are those of the folders of plugins', () => {
    const named = ['provider', 'extension', 'feature', 'tool'].flatMap((kind) =>
      readdirSync(join(ROOT, `${kind}s`))
        .filter((name) => !NO_PLUGIN.includes(name))
        .map((name) => [name, `@braidwork/${kind}-${name}`]),
    )
    expect([...SHIPPED_PACKAGES]).to.have.deep.members(named)
  })
})
