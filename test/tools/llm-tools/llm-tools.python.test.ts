import { join } from 'node:path'
import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import { type ConfigLayer, createHost, type Host } from '../../../src/core/index.ts'
import { suiteOf } from '../../../src/testing/index.ts'
import { llmPythonOf } from '../../helpers/llm-python.ts'
import { pythonOf } from '../../helpers/python.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { suitesOf } from '../../python-package/python-suite.ts'

/** Options of the suite: two tools without arguments, because llm has no place for descriptions of those. */
const OPTIONS = {
  config: { settings: { 'llm-tools': { tools: ['llm_time', 'llm_version'] } } },
  calls: [
    { name: 'llm_time', input: {} },
    { name: 'llm_version', input: {} },
  ],
}

const PLUGINS = ['scripted', join(ROOT, 'tools', 'llm-tools')]

describe('the tool llm-tools, with installed plugins of llm', function () {
  this.timeout(300_000)
  let host: Host
  before(async function () {
    const executable = await llmPythonOf(this)
    host = await createHost({ plugins: PLUGINS, python: { executable } })
  })
  after(() => host?.close())

  const configOf = (settings: object = {}, more: ConfigLayer = {}): ConfigLayer => ({
    enabled_plugins: ['llm-tools'],
    ...more,
    settings: { 'llm-tools': { ...settings }, ...more.settings },
  })

  const namesWith = async (settings: object) =>
    (await host.toolSchemas(configOf(settings))).map(({ name }) => name)

  it('is off by default', async () => {
    expect((await host.resolve({})).enabled.tools).to.deep.equal([])
  })

  it('offers the tools, or those that the settings name, with their schemas', async () => {
    expect(await namesWith({})).to.include.members(['llm_version', 'llm_time', 'draw', 'fail'])
    expect(await namesWith({ tools: ['draw'] })).to.deep.equal(['draw'])
    const [schema] = await host.toolSchemas(configOf({ tools: ['draw'] }))
    expect(schema).to.deep.include({ name: 'draw', description: 'Draws a picture' })
    expect(schema?.input_schema).to.have.nested.property('properties.color.default', 'red')
  })

  it('offers a toolbox only with options for it', async () => {
    expect(await namesWith({})).not.to.include('Counter_add')
    expect(await namesWith({ toolboxes: { Counter: {} } })).to.include('Counter_add')
  })

  /** The outputs of calls that the model makes one after the other in a run. */
  async function outputsOf(
    settings: object,
    ...calls: readonly { readonly name: string; readonly input: object }[]
  ): Promise<readonly unknown[]> {
    const script = [
      ...calls.map((call, index) => ({ when: { step: index + 1 }, then: { tool_calls: [call] } })),
      { then: { text: 'Done' } },
    ]
    const config = configOf(settings, { settings: { scripted: { script } } })
    const { messages } = await run(host, { config, messages: 'Go' }).result
    return messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
    )
  }

  it('runs them, also async ones, and tells what they gave', async () => {
    const [time] = await outputsOf({}, { name: 'llm_time', input: {} })
    expect(time).to.have.property('utc_time_iso')
    expect(await outputsOf({}, { name: 'wait_async', input: { seconds: 0 } })).to.deep.equal([
      'waited',
    ])
    const [drawn] = await outputsOf({}, { name: 'draw', input: { color: 'blue' } })
    expect(drawn).to.deep.equal([
      { type: 'text', text: 'a blue picture' },
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    ])
  })

  it('makes an error result of what a tool raises', async () => {
    const [failed] = await outputsOf({}, { name: 'fail', input: {} })
    expect(JSON.stringify(failed)).to.include('no fail today')
  })

  it('keeps a toolbox for a run, and makes another one for the next', async () => {
    const add = { name: 'Counter_add', input: { amount: 2 } }
    const settings = { toolboxes: { Counter: { start: 10 } } }
    expect(await outputsOf(settings, add, add)).to.deep.equal([12, 14])
    expect(await outputsOf(settings, add)).to.deep.equal([12])
  })

  it('refuses names that no plugin has, at their place', async () => {
    for (const [settings, pointer] of [
      [{ tools: ['absent'] }, '/settings/llm-tools/tools/0'],
      [{ toolboxes: { Absent: {} } }, '/settings/llm-tools/toolboxes/Absent'],
      [{ toolboxes: { Counter: { end: 1 } } }, '/settings/llm-tools/toolboxes/Counter'],
    ] as const) {
      const { error } = await host.stream(configOf(settings), 'Hello').result
      expect(error).to.include({ code: 'SETTINGS_INVALID', pointer })
    }
  })

  it('passes the suite of tools', async function () {
    const before = process.env['PYTHON_BIN']
    process.env['PYTHON_BIN'] = await llmPythonOf(this)
    const suite = suiteOf('tool', PLUGINS[1], OPTIONS)
    const faults: string[] = []
    try {
      for (const { name, run: check } of suite.checks)
        await check().catch((error: Error) => faults.push(`${name}: ${error.message}`))
    } finally {
      if (before === undefined) delete process.env['PYTHON_BIN']
      else process.env['PYTHON_BIN'] = before
      await suite.close()
    }
    expect(faults).to.deep.equal([])
  })

  it('passes the suite of tools for pytest', async function () {
    const executable = await llmPythonOf(this)
    const path = join(ROOT, 'tools', 'llm-tools')
    const [result] = await suitesOf({ executable }, [{ kind: 'tool', path, options: OPTIONS }])
    expect(result?.failed).to.deep.equal([])
    expect(Object.values(result?.skipped ?? {}).join()).not.to.include('not offered')
  })
})

describe('the tool llm-tools, without llm', function () {
  this.timeout(60_000)

  it('offers nothing, and warns of it', async function () {
    const { executable } = await pythonOf(this)
    const host = await createHost({ plugins: PLUGINS, python: { executable } })
    const { status, warnings } = await host.stream({ enabled_plugins: ['llm-tools'] }, 'Hello')
      .result
    await host.close()
    if (warnings.length === 0) return this.skip()
    expect(status).to.equal('done')
    expect(warnings.join()).to.include(executable).and.to.include('pip install llm')
  })
})
