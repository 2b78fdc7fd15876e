import { expect } from 'chai'
import type { Edit } from '../../../src/page/site/why/documents.ts'
import { dataOf, pointersOf } from '../../../src/page/site/why/edits.ts'

const EDITS: readonly Edit[] = [
  { edit: 'add', list: 'enabled_plugins', plugin: 'memory' },
  { edit: 'remove', list: 'disabled_plugins', plugin: 'clock' },
  { edit: 'add', list: 'disabled_plugins', plugin: 'guard' },
  { edit: 'set', key: 'provider', provider: 'openai', model: 'gpt' },
]

describe('a change of the config', () => {
  it('is switches and values of the settings of a chat', () => {
    expect(dataOf(EDITS)).to.deep.equal({
      provider: 'openai',
      model: 'gpt',
      switches: { memory: true, clock: true, guard: false },
    })
    expect(dataOf([{ edit: 'set', key: 'model', model: 'gpt' }])).to.deep.equal({ model: 'gpt' })
  })

  it('touches places that the server may let be set', () => {
    expect(pointersOf(EDITS)).to.deep.equal([
      '/switches/memory',
      '/switches/clock',
      '/switches/guard',
      '/provider',
      '/model',
    ])
    expect(pointersOf([{ edit: 'set', key: 'provider', provider: 'openai' }])).to.deep.equal([
      '/provider',
    ])
  })
})
