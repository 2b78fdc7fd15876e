import { expect } from 'chai'
import { createHost } from '../../../src/core/host/index.ts'
import type { Config, Context, State } from '../../../src/plugin/index.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { errorOf, eventProvider, schema, tool } from '../../helpers/plugins.ts'

const SEARCH = { ...schema('search'), source: 'the test' }

/** A host whose provider notes each config that it is asked with, and warns. */
async function notingHost() {
  const configs: Config[] = []
  const modes: string[] = []
  const provider = eventProvider(textEvents('hello'), {
    init: (config: Config, context: Context) => {
      configs.push(config)
      context.warn('no seeds here')
      return {}
    },
    stream: () => {
      modes.push('stream')
      return textEvents('hello')
    },
    call: (native: unknown, state: State) => {
      modes.push('call')
      return [[], [{ role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }], native, state]
    },
  })
  const host = await createHost({ plugins: [provider, tool('files', { schemas: ['read'] })] })
  return { host, configs, modes }
}

describe('a config that is opened again', () => {
  it('has a layer over it, and the tools of its own', async () => {
    const { host, configs } = await notingHost()
    const opened = await host.open({ seed: 1, temperature: 0.5 })
    const withholds = ({ plugin }: { plugin?: string | undefined }) => plugin && 'not here'
    const again = await opened.reopen({ seed: 2 }, { tools: [SEARCH], withholds })
    await again.ask('hi').result
    expect(configs.at(-1)).to.include({ seed: 2, temperature: 0.5 })
    expect(configs.at(-1)?.tools?.map(({ name }) => name)).to.deep.equal(['search'])
    await opened.ask('hi').result
    expect(configs.at(-1)).to.include({ seed: 1 })
    expect(configs.at(-1)?.tools?.map(({ name }) => name)).to.deep.equal(['read'])
    await host.close()
  })

  it('ends alone', async () => {
    const { host } = await notingHost()
    const opened = await host.open({})
    const again = await opened.reopen({}, {})
    again.end()
    expect((await again.ask('hi').result).error?.code).to.equal('HOST_CLOSED')
    expect((await opened.ask('hi').result).status).to.equal('done')
    await host.close()
  })

  it('refuses a layer that is no config', async () => {
    const { host } = await notingHost()
    const opened = await host.open({})
    expect((await errorOf(opened.reopen({ seed: 'x' } as never, {}))).code).to.equal(
      'CONFIG_INVALID',
    )
    await host.close()
  })
})

describe('a request of an opened config', () => {
  it('tells each warning as it arises', async () => {
    const { host } = await notingHost()
    const opened = await host.open({})
    const told: string[] = []
    const { warnings } = await opened.ask('hi', { onWarning: (text) => told.push(text) }).result
    expect(told).to.deep.equal(['p: no seeds here'])
    expect(warnings).to.deep.equal(told)
    await host.close()
  })

  it('streams, unless the whole answer is asked for at once', async () => {
    const { host, modes } = await notingHost()
    const opened = await host.open({})
    await opened.ask('hi').result
    await opened.ask('hi', { mode: 'send' }).result
    expect(modes).to.deep.equal(['stream', 'call'])
    await host.close()
  })
})
