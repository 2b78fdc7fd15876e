import '../english.ts'
import { expect } from 'chai'
import type { ConfigLayer } from '../../../src/core/index.ts'
import { changeConfig, changeText, configText } from '../../../src/page/site/why/change.ts'
import type { Edit } from '../../../src/page/site/why/documents.ts'
import { CONFIGS, explainedBy, shippedHost } from './explained.ts'

const EDITS: readonly (readonly [Edit, string])[] = [
  [
    { edit: 'add', list: 'enabled_plugins', plugin: 'citations' },
    'add “citations” to enabled_plugins',
  ],
  [{ edit: 'add', list: 'disabled_plugins', plugin: 'redact' }, 'add “redact” to disabled_plugins'],
  [
    { edit: 'remove', list: 'disabled_plugins', plugin: 'clock' },
    'remove “clock” from disabled_plugins',
  ],
  [{ edit: 'set', key: 'model', model: 'large' }, 'set model to “large”'],
  [{ edit: 'set', key: 'provider', provider: 'anthropic' }, 'set provider to “anthropic”'],
  [
    { edit: 'set', key: 'provider', provider: 'anthropic', model: 'sonnet' },
    'set provider to “anthropic” and model to “sonnet”',
  ],
]

describe('an edit in words', () => {
  for (const [edit, text] of EDITS) {
    it(`says ${text}`, () => expect(changeText(edit)).to.equal(text))
  }
})

describe('a change as config', () => {
  it('changes lists instead of replacing them, and sets the rest', () => {
    expect(
      changeConfig([
        { edit: 'add', list: 'enabled_plugins', plugin: 'a' },
        { edit: 'add', list: 'enabled_plugins', plugin: 'b' },
        { edit: 'add', list: 'disabled_plugins', plugin: 'c' },
        { edit: 'remove', list: 'disabled_plugins', plugin: 'd' },
        { edit: 'set', key: 'provider', provider: 'p', model: 'm' },
      ]),
    ).to.deep.equal({
      enabled_plugins: { add: ['a', 'b'] },
      disabled_plugins: { add: ['c'], remove: ['d'] },
      provider: 'p',
      model: 'm',
    })
  })

  it('is short JSON', () => {
    const part = changeConfig([
      { edit: 'add', list: 'enabled_plugins', plugin: 'a' },
      { edit: 'add', list: 'enabled_plugins', plugin: 'b "] }' },
      { edit: 'set', key: 'model', model: 'm' },
    ])
    expect(JSON.parse(configText(part))).to.deep.equal(part)
    expect(
      configText(changeConfig([{ edit: 'add', list: 'enabled_plugins', plugin: 'a' }])),
    ).to.equal('{\n  "enabled_plugins": { "add": ["a"] }\n}')
  })

  it('turns a plugin on that the host explained, as a layer over the config', async () => {
    let tried = 0
    for (const config of CONFIGS) {
      const host = await shippedHost([], config)
      for (const { plugin, change } of await explainedBy(host)) {
        for (const edits of change ?? []) {
          const layer = JSON.parse(configText(changeConfig(edits))) as ConfigLayer
          const [changed] = await host.explain(layer, { plugin })
          expect(changed?.on, `${plugin} ${JSON.stringify(edits)}`).to.equal(true)
          tried++
        }
      }
      await host.close()
    }
    expect(tried).to.be.above(40)
  })
})
