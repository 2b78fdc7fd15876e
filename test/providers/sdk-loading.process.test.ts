import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

/** A module loads no SDK before the first request: what a child that prepares one prints, in order. */
function loadedBy(folder: string, sdk: string): readonly string[] {
  const provider = new URL(`../../providers/${folder}/index.ts`, import.meta.url)
  const hook = `export async function resolve(name, context, next) {
    if (['${sdk}', 'eventsource-parser'].includes(name)) process._rawDebug('loaded ' + name)
    return next(name, context)
  }`
  const script = `
    import { register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}))
    const { default: provider } = await import(${JSON.stringify(provider.href)})
    const context = { config: {}, local: new Map(), modelInfo: {}, warn() {} }
    const state = await provider.init({ model: provider.getModels({})[0] }, context)
    const parts = [{ type: 'text', text: 'Hello' }]
    const { model } = provider.toNative([{ role: 'user', parts }], state, context)
    process._rawDebug('loaded nothing for ' + model)
    await import(${JSON.stringify(sdk)})
  `
  const child = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('../../', import.meta.url)), encoding: 'utf8', timeout: 20_000 },
  )
  return child.stderr.split('\n').filter((printed) => printed.startsWith('loaded'))
}

describe('a provider', () => {
  for (const [folder, sdk, model] of [
    ['openai', 'openai', 'gpt'],
    ['anthropic', '@anthropic-ai/sdk', 'claude'],
  ] as const) {
    it(`loads no SDK before the first request (${folder})`, function () {
      this.timeout(30_000)
      const [first, second] = loadedBy(folder, sdk)
      expect(first).to.match(new RegExp(`^loaded nothing for ${model}`))
      expect(second).to.equal(`loaded ${sdk}`)
    })
  }
})
