import { expect } from 'chai'
import { editConfig } from '../../../../src/core/index.ts'
import { askScript, needsPeer } from '../../../helpers/peer-scripts.ts'
import { hostOfAll } from '../../../helpers/shipped-form.ts'

interface Elicited {
  readonly asked?: { readonly requestedSchema: unknown }
  readonly given?: { readonly content: { readonly [name: string]: unknown } }
  readonly thrown?: string
}

describe('the settings as an elicitation of MCP', () => {
  it('is asked by a server and answered by a client of MCP, for all shipped plugins', async function () {
    this.timeout(60_000)
    needsPeer(this, '@modelcontextprotocol/client')
    const { host, config, close } = await hostOfAll(this)
    const { requestedSchema, pointers, values } = await host.uiSchema(config, { format: 'mcp' })
    const params = { mode: 'form', message: 'Settings', requestedSchema }
    const answer = { ...values, temperature: 0.5, openai__api: 'chat', switches__memory: false }
    const nested = { type: 'object', properties: { a: { type: 'object', properties: {} } } }
    const [untouched, changed, wrong, control] = (await askScript('elicit.mjs', [
      { params },
      { params, answer },
      { params, answer: { temperature: 'hot' } },
      { params: { ...params, requestedSchema: nested } },
    ])) as readonly Elicited[]
    expect(untouched?.thrown).to.equal(undefined)
    expect(untouched?.asked?.requestedSchema).to.deep.equal(requestedSchema)
    const view = { pointers, values }
    expect(editConfig(config, view, untouched?.given?.content ?? {})).to.deep.equal(config)
    const edited = editConfig(config, view, changed?.given?.content ?? {})
    expect(edited).to.deep.include({ temperature: 0.5 })
    expect(edited.settings?.['openai']).to.deep.equal({ api_key: 'sk-open-sesame', api: 'chat' })
    expect(edited.enabled_plugins).not.to.include('memory')
    expect(wrong?.thrown).to.include('temperature must be number')
    expect(control?.thrown, 'what MCP has no field for').to.include('Invalid elicitation request')
    await close()
  })
})
