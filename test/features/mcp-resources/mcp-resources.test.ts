import { expect } from 'chai'
import mcpResources from '../../../features/mcp-resources/index.ts'
import { run } from '../../../src/agent/index.ts'
import type { Feature, Settings } from '../../../src/plugin/index.ts'
import { textOf } from '../../../src/plugin/index.ts'
import mcp from '../../../tools/mcp/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { callOf, keepHosts, sdkServer } from '../../tools/mcp/mcp-host.ts'

const NOTE = { server: 'fx', uri: 'note://1' }

describe('the feature mcp-resources', function () {
  this.timeout(20_000)
  const kept = keepHosts()

  /** A host whose features see what the model is shown. */
  async function hostFor(own: Settings) {
    const seen: string[] = []
    const look: Feature = {
      kind: 'feature',
      name: 'look',
      editMessages: (messages) => {
        seen.push(messages.map(textOf).join('\n'))
        return messages
      },
    }
    const settings = {
      mcp: { servers: { fx: sdkServer() }, start: 10 },
      'mcp-resources': own,
      scripted: { script: [{ then: { text: 'Hi.' } }] },
    }
    const enabled_plugins = ['mcp', 'mcp-resources']
    const host = await kept(scriptedHost([mcp, mcpResources, look], { enabled_plugins, settings }))
    return { host, seen }
  }

  it('shows the model named resources, from the process of the tool', async () => {
    const { host, seen } = await hostFor({ resources: [NOTE] })
    using opened = await host.open()
    const before = await callOf(opened, 'fx__pid')
    const { warnings } = await opened.ask('Hello').result
    expect(seen[0]).to.include('{"server":"fx","uri":"note://1","text":"Buy bread."}')
    expect(warnings).to.deep.equal([])
    const after = await callOf(opened, 'fx__pid')
    expect(after.output).to.equal(before.output)
  })

  it('goes on without what cannot be read, and says why', async () => {
    const none = { server: 'fx', uri: 'note://none' }
    const strange = { server: 'strange', uri: 'note://1' }
    const { host, seen } = await hostFor({ resources: [none, strange, NOTE] })
    const { warnings } = await host.send({}, 'Hello')
    expect(seen[0]).to.include('Buy bread.')
    expect(warnings.filter((one) => one.includes('is left out'))).to.have.length(2)
    expect(warnings.join()).to.include('there is no MCP server "strange"')
  })

  it('says so where the tool is off', async () => {
    const { host, seen } = await hostFor({ resources: [NOTE] })
    const { warnings } = await host.send({ disabled_plugins: ['mcp'] }, 'Hello')
    expect(seen).to.deep.equal(['Hello'])
    expect(warnings.join()).to.include('"mcp", whose servers have them, is not on')
  })

  it('says so where the tool uses no server', async () => {
    const { host, seen } = await hostFor({ resources: [NOTE] })
    const { warnings } = await host.send({ settings: { mcp: { use: [] } } }, 'Hello')
    expect(seen).to.deep.equal(['Hello'])
    expect(warnings.join()).to.include('is not on or uses none')
  })

  it('cuts what is too long', async () => {
    const { host } = await hostFor({ resources: Array(30).fill(NOTE), max_characters: 100 })
    const { warnings } = await host.send({}, 'Hello')
    expect(warnings.join()).to.include('max_characters')
  })

  it('reads with the credentials of its own config only', async () => {
    // The configs differ in a secret only, which the feature does not see.
    const other = { fx: { ...sdkServer(), env: { NOTE: 'Of another config.' } } }
    const { host, seen } = await hostFor({ resources: [NOTE] })
    const config = { settings: { mcp: { servers: other } } }
    await Promise.all([
      run(host, { messages: 'Hello' }).result,
      run(host, { config, messages: 'Hello' }).result,
    ])
    const texts = seen.map((one) => /"text":"(.*?)"/.exec(one)?.[1])
    expect(texts.toSorted()).to.deep.equal(['Buy bread.', 'Of another config.'])
  })
})
