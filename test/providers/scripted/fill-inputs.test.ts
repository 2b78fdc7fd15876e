import { expect } from 'chai'
import { fillInputs } from '../../../providers/scripted/fill-inputs.ts'

describe('the inputs that the scripted provider reads from a text', () => {
  const calls = (name: string, text: string) =>
    fillInputs({ name, input_schema: { type: 'object', properties: {} } } as never, text).length

  it('are for tools that the text names, one or several', () => {
    expect(calls('list_cars', 'Show me a car')).to.equal(1)
    expect(calls('sell_car', 'Show me cars')).to.equal(1)
  })

  it('are for no tools with similar names', () => {
    expect(calls('sell_car', 'Show me a cat')).to.equal(0)
  })
})
