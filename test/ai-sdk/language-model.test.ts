import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { asLanguageModel } from '../../src/ai-sdk/index.ts'
import { createHost, type Host, HostError } from '../../src/core/index.ts'
import { askedOf } from './asking.ts'

describe('a language model', () => {
  let host: Host
  before(async () => {
    host = await createHost({ plugins: [scripted], config: { provider: 'scripted' } })
  })
  after(() => host.close())

  function refusalOf(opened: unknown, options?: object): string {
    try {
      asLanguageModel(opened as never, options as never)
      return ''
    } catch (error) {
      return HostError.is(error) ? `${error.code}: ${error.message}` : String(error)
    }
  }

  it('is made of an opened config alone', async () => {
    const advice = 'asLanguageModel(await host.open(config))'
    const opening = host.open({})
    for (const given of [host, opening, undefined, {}]) {
      expect(refusalOf(given)).to.include('OPTION_INVALID').and.include(advice)
    }
    const opened = await opening
    expect(refusalOf(opened)).to.equal('')
    opened.end()
  })

  it('refuses options that it does not have', async () => {
    using opened = await host.open({})
    expect(refusalOf(opened, { skd: 5 })).to.equal(
      'OPTION_INVALID: asLanguageModel has no option "skd". It takes sdk.',
    )
    expect(refusalOf(opened, { SDK: 5 })).to.include('Did you mean "sdk"?')
    for (const [sdk, shown] of [
      ['7', '"7"'],
      [8, '8'],
    ]) {
      expect(refusalOf(opened, { sdk })).to.equal(
        `OPTION_INVALID: "sdk" of asLanguageModel must be the number 5, 6 or 7, and not ${shown}.`,
      )
    }
  })

  it('warns of what is wrong in the config of a call', async () => {
    const providerOptions = { braidwork: { max_output_token: 3, settings: { openia: {} } } }
    const { warnings } = await askedOf({ providerOptions })
    expect(warnings.map((warning) => JSON.stringify(warning)).join('\n'))
      .to.include('Did you mean \\"max_output_tokens\\"?')
      .and.include('openia')
  })
})
