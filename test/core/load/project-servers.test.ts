import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { findLayers } from '../../../src/core/load/config-layers.ts'
import { readProjectServers } from '../../../src/core/load/project-servers.ts'
import { pin } from '../../../src/core/load/trust.ts'
import { currentPins, folderTrust } from '../../../src/core/load/trusted-folder.ts'

describe('the MCP servers of a project', () => {
  let folder: string
  const { XDG_CONFIG_HOME } = process.env
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    process.env['XDG_CONFIG_HOME'] = join(folder, 'xdg')
  })
  afterEach(async () => {
    if (XDG_CONFIG_HOME === undefined) delete process.env['XDG_CONFIG_HOME']
    else process.env['XDG_CONFIG_HOME'] = XDG_CONFIG_HOME
    await rm(folder, { recursive: true })
  })

  const writeServers = (mcpServers: unknown) =>
    writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
  const writeConfig = () => writeFile(join(folder, 'braidwork.json'), '{"seed": 1}')

  /** What is read of a file that has these servers. */
  const read = async (servers: unknown, variables: { readonly [name: string]: string } = {}) => {
    await writeServers(servers)
    const text = JSON.stringify({ mcpServers: servers })
    const { layer, diagnostics } = readProjectServers(folder, () => text, variables)
    const { project_servers: found } = layer?.settings?.['mcp'] ?? {}
    return { found, messages: diagnostics.map(({ message }) => message) }
  }

  it('are a layer below the config of the folder, once that is trusted', async () => {
    await writeConfig()
    await writeServers({ files: { command: 'npx', args: ['a'], timeout: 5 } })
    expect(findLayers({ from: folder }).layers).to.deep.equal([])
    pin(folder, currentPins(folder))
    const { layers } = findLayers({ from: folder })
    expect(layers.map(({ from, file }) => [from, file === undefined])).to.deep.equal([
      ['project', true],
      ['project', false],
    ])
    const files = { command: 'npx', args: ['a'], cwd: folder }
    expect(layers[0]?.config).to.deep.equal({ settings: { mcp: { project_servers: { files } } } })
  })

  it('are not used after a change, and not in a folder without a config', async () => {
    await writeServers({ files: { command: 'npx' } })
    pin(folder, currentPins(folder))
    expect(findLayers({ from: folder }).layers).to.deep.equal([])
    await writeConfig()
    pin(folder, currentPins(folder))
    await writeServers({ files: { command: 'rm' } })
    expect(folderTrust(folder)).to.equal('changed')
    const { layers, diagnostics } = findLayers({ from: folder })
    expect(layers).to.deep.equal([])
    expect(diagnostics.map(({ message }) => message).join()).to.match(/\.mcp\.json" changed since/)
  })

  it('have references in place of variables, so that these stay secret, and defaults', async () => {
    const servers = {
      a: { url: 'https://${HOST:-example.org}/', headers: { Authorization: 'Bearer ${TOKEN}' } },
    }
    const { found, messages } = await read(servers, { TOKEN: 't' })
    expect(messages).to.deep.equal([])
    expect(found).to.deep.equal({
      a: { url: 'https://example.org/', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
    })
  })

  it('are left out one by one where a variable is missing, with the reason', async () => {
    const { found, messages } = await read({
      a: { command: 'a', env: { KEY: '${KEY}' } },
      b: { command: 'b', cwd: 'sub' },
      c: 'wrong',
    })
    expect(found).to.deep.equal({ b: { command: 'b', cwd: join(folder, 'sub') } })
    expect(messages).to.deep.equal([
      `The MCP server "a" in "${folder}/.mcp.json" is not used: it needs the environment variable KEY.`,
      `The MCP server "c" in "${folder}/.mcp.json" is not used: it is not an object.`,
    ])
  })

  it('are left out where they name no command or address, with the place and the key that is meant', async () => {
    const { found, messages } = await read({
      a: { comand: 'node' },
      b: { command: 5 },
      c: { disabled: true },
    })
    expect(found).to.deep.equal({ c: { disabled: true } })
    const place = (column: number) => `"${folder}/.mcp.json:1:${column}"`
    expect(messages).to.deep.equal([
      `The MCP server "a" in ${place(16)} is not used: it has neither "command" nor "url". Did you mean "command"?`,
      `The MCP server "b" in ${place(38)} is not used: its "command" must be a text.`,
    ])
  })

  it('are left out where they have no name, with the place', async () => {
    const { found, messages } = await read({ '': { command: 'a' }, b: { command: 'b' } })
    expect(found).to.have.keys('b')
    expect(messages).to.deep.equal([
      `The MCP server "" in "${folder}/.mcp.json:1:16" is not used: its name is empty.`,
    ])
  })

  for (const text of ['{', '[]', '{"mcpServers": []}', '{"servers": {}}']) {
    it(`are none in a file that is no list of servers: ${text}`, async () => {
      await writeServers({})
      const { layer, diagnostics } = readProjectServers(folder, () => text)
      expect(layer).to.equal(undefined)
      expect(diagnostics.map(({ message }) => message).join()).to.match(
        /is not used: it is not JSON/,
      )
    })
  }
})
