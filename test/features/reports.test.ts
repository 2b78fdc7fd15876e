import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import instructions from '../../features/instructions/index.ts'
import mcpResources from '../../features/mcp-resources/index.ts'
import memory from '../../features/memory/index.ts'
import structuredOutput from '../../features/structured-output/index.ts'
import { run } from '../../src/agent/index.ts'
import { type ConfigLayer, createHost, type Host } from '../../src/core/index.ts'
import mcp from '../../tools/mcp/index.ts'
import { collect, textProvider } from '../helpers/hosts.ts'
import { sdkServer } from '../tools/mcp/mcp-host.ts'

const DOC_CONTEXT = join(import.meta.dirname, '../../features/doc-context')
const PLUGINS = [instructions, memory, structuredOutput, mcp, mcpResources, DOC_CONTEXT]

/** What a feature reports of a request, as `status kind ref: reason`. */
async function reported(host: Host, config: ConfigLayer, plugin: string) {
  const events = await collect(run(host, { config, messages: 'Bake?', conversationId: 'c' }))
  const told = events.flatMap((event) => (event.type === 'context-resolved' ? event.items : []))
  return told
    .filter((item) => item.plugin === plugin)
    .map(({ status, kind, ref, reason }) => [status, kind, ref, ...(reason ? [reason] : [])])
}

describe('the context of the shipped features', function () {
  this.timeout(30_000)
  let folder: string
  let host: Host
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reports-'))
    host = await createHost({ plugins: [textProvider('{}', { tags: ['tools'] }), ...PLUGINS] })
  })
  afterEach(async () => {
    await host.close()
    await rm(folder, { recursive: true })
  })

  const asked = (plugin: string, settings: object, more: ConfigLayer = {}) =>
    reported(
      host,
      { enabled_plugins: [plugin], settings: { [plugin]: { ...settings } }, ...more },
      plugin,
    )

  it('LR-06 has the instructions, by setting and by file', async () => {
    const [house, empty] = [join(folder, 'house.md'), join(folder, 'empty.md')]
    await writeFile(house, 'Say "you".')
    await writeFile(empty, '\n')
    expect(await asked('instructions', { text: 'Be brief.', files: [house, empty] })).to.deep.equal(
      [
        ['included', 'instructions', 'settings.instructions.text'],
        ['included', 'instructions', house],
        ['left_out', 'instructions', empty, 'the file is empty'],
      ],
    )
  })

  it('LR-06 has the facts of memory by their ids, and those for which there is no room', async () => {
    const remember = async (text: string) =>
      (await host.runAction('memory', 'remember', { text }, ON, { conversationId: 'c' })) as {
        id: string
      }
    const ON = { enabled_plugins: ['memory'] }
    const long = await remember(`The weather was ${'fine and '.repeat(30)}warm.`)
    const bake = await remember('To bake takes an hour.')
    const items = await asked('memory', { max_characters: 200 })
    expect(items).to.deep.equal([
      ['included', 'memory', bake.id],
      ['left_out', 'memory', long.id, 'it does not fit into "settings.memory.max_characters"'],
    ])
    expect(JSON.stringify(items)).to.not.include('weather')
  })

  it('LR-06 has the instruction for the format of the answer', async () => {
    const format = { response_format: { type: 'json' } } as const
    expect(await asked('structured-output', {}, format)).to.deep.equal([
      ['included', 'instructions', 'response_format'],
    ])
  })

  it('LR-06 has resources of MCP servers, cut, without room, and not there', async () => {
    const resources = ['note://1', 'note://none'].map((uri) => ({ server: 'fx', uri }))
    const settings = { mcp: { servers: { fx: sdkServer() }, start: 10 } }
    const own = { enabled_plugins: ['mcp', 'mcp-resources'] }
    const ask = (more: object) =>
      asked(
        'mcp-resources',
        {},
        { ...own, settings: { ...settings, 'mcp-resources': { ...more } } },
      )
    const [shown, missing] = await ask({ resources })
    expect(shown).to.deep.equal(['included', 'resource', 'fx: note://1'])
    expect(missing?.slice(0, 3)).to.deep.equal(['missing', 'resource', 'fx: note://none'])
    expect(missing?.[3]).to.be.a('string')
    const off = await asked('mcp-resources', { resources })
    expect(off.map(([status]) => status)).to.deep.equal(['missing', 'missing'])
  })

  it('LR-06 has the pieces of documents, and what was left out', async () => {
    await writeFile(join(folder, 'bread.md'), 'Bake bread for an hour.')
    await writeFile(join(folder, 'cake.md'), 'Bake cake.\nBake.')
    await writeFile(join(folder, 'dough.md'), `Bake ${'dough '.repeat(100)}`)
    const items = await asked('doc-context', { folder, max_pieces: 1, max_file_bytes: 100 })
    expect(items.map(([status, kind, ref]) => [status, kind, ref])).to.have.deep.members([
      ['included', 'document', 'cake.md:1-2'],
      ['left_out', 'document', 'bread.md:1-1'],
      ['left_out', 'document', 'dough.md'],
    ])
  })
})
