import { expect } from 'chai'
import { askScript, needsPeer } from '../../../helpers/peer-scripts.ts'
import { hostOfAll } from '../../../helpers/shipped-form.ts'

interface Looked {
  readonly faults: readonly string[]
  readonly completions: readonly { readonly label: string; readonly documentation: unknown }[]
}

describe('the settings as a contribution to VS Code', () => {
  it('are completed and checked in settings.json, for all shipped plugins', async function () {
    this.timeout(60_000)
    needsPeer(this, 'vscode-json-languageservice')
    const { host, config, close } = await hostOfAll(this)
    const { contributes, values } = await host.uiSchema(config, { format: 'vscode' })
    await close()
    const all = contributes.configuration.map(({ properties }) => properties)
    const schema = { type: 'object', properties: Object.assign({}, ...all) as object }
    const [defaults, right, wrong, names, choices] = (await askScript('edit-settings.mjs', {
      schema,
      documents: [
        { text: JSON.stringify(values) },
        { text: '{"braidwork.temperature": 0.5, "braidwork.settings.openai.api": "chat"}' },
        { text: '{"braidwork.temperature": "hot", "braidwork.settings.openai.api": "soap"}' },
        { text: '{"braidwork.settings.redact"}', complete: '{"braidwork.settings.redact' },
        { text: '{"braidwork.settings.openai.api": }', complete: '.api": ' },
      ],
    })) as readonly Looked[]
    expect(defaults?.faults).to.deep.equal([])
    expect(right?.faults).to.deep.equal([])
    expect(wrong?.faults).to.have.length(2)
    expect(wrong?.faults.join()).to.include('number').and.to.include('"responses", "chat"')
    const labels = (looked?: Looked) => looked?.completions.map(({ label }) => label)
    expect(labels(names)).to.include('braidwork.settings.redact.rules')
    expect(labels(choices)).to.include.members(['"responses"', '"chat"'])
  })
})
