import { expect } from 'chai'
import fc from 'fast-check'
import { createHost } from '../../../src/core/host/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { pluginSet } from '../../helpers/plugin-sets.ts'
import { caller, errorOf, feature, logged, namesOn, schema, tool } from '../../helpers/plugins.ts'

const answer = { role: 'assistant', parts: [{ type: 'text', text: 'hi' }] }

describe('one resolution', () => {
  it('CL-01 serves resolve, explain and toolSchemas alike', async () => {
    await fc.assert(
      fc.asyncProperty(pluginSet(5), async ({ plugins, config }) => {
        const offering = plugins.map((plugin) =>
          plugin.kind === 'tool'
            ? { ...plugin, getToolSchemas: () => [schema(plugin.name)] }
            : plugin,
        )
        await using host = await createHost({ plugins: offering })
        const resolution = await host.resolve(config)
        const on = (await host.explain(config))
          .filter((entry) => entry.on)
          .map(({ plugin }) => plugin)
        expect(on.toSorted()).to.deep.equal(['p', ...namesOn(resolution)].toSorted())
        const offered = (await host.toolSchemas(config)).map(({ plugin }) => plugin)
        expect(offered).to.deep.equal(resolution.enabled.tools)
      }),
      { numRuns: propertyRuns(60) },
    )
  })

  it('CL-01 runs once before a request, whichever door asks', async () => {
    const log: string[] = []
    const plugins = [
      caller('p', [answer], { tags: ['a'] }),
      feature('f', { verdict: undefined, requires: ['a'] }),
    ]
    await using host = await createHost({ plugins: plugins.map((plugin) => logged(log, plugin)) })
    const asked = () => log.splice(0).filter((entry) => /getTags|isEnabled/.test(entry))
    const once = ['p.getTags', 'f.isEnabled']
    await host.resolve()
    expect(asked(), 'resolve').to.deep.equal(once)
    await host.send({}, 'hello')
    expect(asked(), 'send').to.deep.equal(once)
    await host.stream({}, 'hello').result
    expect(asked(), 'stream').to.deep.equal(once)
    await host.toolSchemas()
    expect(asked(), 'toolSchemas').to.deep.equal(once)
    await host.explain()
    expect(asked(), 'explain').to.deep.equal(once)
  })

  it('CL-01 gives the tools of a request to its provider, as toolSchemas names them', async () => {
    let offered: unknown
    const init = ({ tools }: { tools: unknown }) => {
      offered = tools
      return {}
    }
    const plugins = [
      caller('p', [answer], { init }),
      tool('t', { schemas: ['run'] }),
      tool('off', { schemas: ['never'], requires: ['nobody has'] }),
    ]
    await using host = await createHost({ plugins })
    await host.send({}, 'hello')
    const shown = await host.toolSchemas()
    expect(offered).to.deep.equal(shown.map(({ plugin: _, ...own }) => own))
    expect(shown.map(({ name }) => name)).to.deep.equal(['run'])
  })

  it('CL-01 leaves what a config turns off out of every door', async () => {
    const plugins = [caller('p', [answer]), tool('t', { schemas: ['run'] })]
    await using host = await createHost({ plugins })
    const config = { disabled_plugins: ['t'] }
    const { enabled } = await host.resolve(config)
    expect(enabled.tools, 'resolve').to.deep.equal([])
    const explained = (await host.explain(config)).find(({ plugin }) => plugin === 't')
    expect(explained?.on, 'explain').to.equal(false)
    expect(await host.toolSchemas(config), 'toolSchemas').to.deep.equal([])
    const { sections } = await host.uiSchema(config)
    expect(sections.find(({ plugin }) => plugin === 't')?.on, 'uiSchema').to.equal(false)
  })

  it('CL-20 fills variables when the config is loaded, never in a config of a request', async () => {
    process.env['BRAIDWORK_TEST_TOKEN'] = 'token-of-the-environment'
    try {
      const plugins = [
        caller('p', [answer], {
          init: ({ greeting }: { greeting: unknown }) => ({ greeting }),
        }),
      ]
      await using host = await createHost({
        plugins,
        config: { greeting: '${env:BRAIDWORK_TEST_TOKEN}' },
      })
      process.env['BRAIDWORK_TEST_TOKEN'] = 'changed later'
      expect((await host.dryRun({}, 'hi')).state).to.deep.equal({
        greeting: 'token-of-the-environment',
      })
      const asked = '${env:BRAIDWORK_TEST_TOKEN}'
      expect((await host.dryRun({ greeting: asked }, 'hi')).state).to.deep.equal({
        greeting: asked,
      })
    } finally {
      delete process.env['BRAIDWORK_TEST_TOKEN']
    }
  })

  it('CL-20 shows a value of the environment in no error', async () => {
    process.env['BRAIDWORK_TEST_TOKEN'] = 'token-of-the-environment'
    try {
      const call = () => {
        throw new Error('401: token-of-the-environment was refused')
      }
      await using host = await createHost({
        plugins: [caller('p', [], { call })],
        config: { greeting: '${env:BRAIDWORK_TEST_TOKEN}' },
      })
      const error = await errorOf(host.send({}, 'hi'))
      expect(error.message).to.include('401: *** was refused')
    } finally {
      delete process.env['BRAIDWORK_TEST_TOKEN']
    }
  })
})
