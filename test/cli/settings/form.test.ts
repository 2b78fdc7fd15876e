import { expect } from 'chai'
import { Form } from '../../../src/cli/settings/form.ts'
import { EditSession } from '../../../src/cli/settings/session.ts'
import { createHost } from '../../../src/core/index.ts'
import { extension, provider } from '../../helpers/plugins.ts'
import { person } from './person.ts'

describe('the form of settings', () => {
  it('says of each switch whether the plugin is on, and why', async () => {
    const given = [
      provider('p', { models: ['m'] }),
      extension('always'),
      extension('rarely', { defaultEnabled: false }),
      extension('lacking', { requires: ['citations'] }),
    ]
    await using host = await createHost({ plugins: given })
    const session = await EditSession.open({
      host,
      below: { provider: 'p' },
      own: {},
      locale: 'en',
    })
    const { prompts, offered } = person('Model and answer', 'Plugins', undefined, undefined, 'Save')
    expect(await new Form(session, prompts).fillIn()).to.equal(true)
    const [menu, , plugins] = offered
    expect(menu?.abouts).to.include({ Always: 'all that it needs is there' })
    expect(plugins?.message).to.equal('Plugins')
    expect(plugins?.abouts).to.deep.equal({
      Always: 'yes; on: all that it needs is there',
      Rarely: 'no; off: off until it is switched on',
      Lacking: 'yes; off: something that it needs is missing: citations',
      Back: '',
    })
  })

  it('is left by Escape in its menu, which asks only where changes would be lost', async () => {
    const plugins = [provider('p', { models: ['m'] }), extension('always')]
    await using host = await createHost({ plugins })
    const options = { host, below: { provider: 'p' }, own: {}, locale: 'en' }
    const unchanged = person(undefined)
    const fresh = await EditSession.open(options)
    expect(await new Form(fresh, unchanged.prompts).fillIn()).to.equal(false)
    const off = ['Model and answer', 'Plugins', 'Always', 'no', undefined, undefined] as const
    const { prompts, left, offered } = person(...off, undefined, undefined, undefined, 'Discard')
    expect(await new Form(await EditSession.open(options), prompts).fillIn()).to.equal(false)
    expect(left).to.deep.equal([])
    expect(offered.slice(-4).map(({ message }) => message)).to.deep.equal([
      'Settings',
      'Discard the changes?',
      'Settings',
      'Discard the changes?',
    ])
  })
})
