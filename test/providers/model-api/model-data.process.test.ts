import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

describe('the data of models', () => {
  it('loads the library with the first question, not before', function () {
    this.timeout(30_000)
    const path = (name: string) => new URL(`../../../providers/${name}`, import.meta.url).href
    const hook = `export async function resolve(name, context, next) {
      if (name.startsWith('@pydantic/')) process._rawDebug('loaded ' + name)
      return next(name, context)
    }`
    const script = `
      import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}))
      const { default: openai } = await import('${path('openai/index.ts')}')
      await import('${path('openai-compatible/index.ts')}')
      process._rawDebug('has ' + openai.getModels({}).length)
      process._rawDebug('costs ' + (await openai.getModelInfo('gpt-5', {})).price.input)`
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      { cwd: fileURLToPath(new URL('../../../', import.meta.url)), encoding: 'utf8' },
    )
    const lines = stderr.split('\n').filter((line) => /^(has|loaded|costs)/.test(line))
    expect(lines.map((line) => line.split(' ')[0])).to.deep.equal(['has', 'loaded', 'costs'])
  })
})
