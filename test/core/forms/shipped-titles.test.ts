import { expect } from 'chai'
import { type HostOfAll, hostOfAll } from '../../helpers/shipped-form.ts'

/** Scopes of controls that have no title in the schema, and so a label made of their names. */
function untitledIn(element: unknown): readonly string[] {
  if (typeof element !== 'object' || element === null) return []
  if ('scope' in element && 'label' in element) return [String(element.scope)]
  return 'elements' in element && Array.isArray(element.elements)
    ? element.elements.flatMap(untitledIn)
    : []
}

describe('the settings of all shipped plugins', () => {
  let shipped: HostOfAll
  before(async function () {
    this.timeout(60_000)
    shipped = await hostOfAll(this)
  })
  after(() => shipped?.close())

  for (const provider of ['scripted', 'openai', 'anthropic', 'openai-compatible', 'smollm'])
    it(`have a title each, and the host’s: ${provider}`, async () => {
      const { host, config } = shipped
      const { uischema } = await host.uiSchema({ ...config, provider })
      expect(untitledIn(uischema)).to.deep.equal([])
    })
})
