import { plainJson } from '../../../src/core/host/plain-json.ts'
import { expectLinear } from '../../helpers/doubling.ts'

describe('a value of a plugin that is not JSON yet', function () {
  this.timeout(120_000)

  it('is converted in time that grows as it does', async () => {
    await expectLinear({
      name: 'rows with dates',
      make: (size) => {
        const rows = Array.from({ length: size }, (_, id) => ({ id, at: new Date(id) }))
        return () => plainJson(rows)
      },
    })
  })
})
