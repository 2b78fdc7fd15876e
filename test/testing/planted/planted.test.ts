import { expect } from 'chai'
import { EXTENSION } from './correct-extension.ts'
import { EXTENSIONS } from './extensions.ts'
import { failing } from './planted.ts'

describe('the suite of extensions', () => {
  it('passes a correct one', async () => {
    expect(await failing('extension', EXTENSION)).to.deep.equal([])
  })

  for (const { bug, caught, plant } of EXTENSIONS)
    it(`catches ${bug}`, async () => {
      expect(await failing('extension', plant(EXTENSION))).to.deep.equal(caught)
    })
})
