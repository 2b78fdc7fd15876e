import { plainAnswer } from '../../../../src/core/host/tools/plain-answer.ts'
import { expectLinear } from '../../../helpers/doubling.ts'

describe('the answer of a tool that is not JSON yet', function () {
  this.timeout(120_000)

  it('is converted in time that grows as it does', async () => {
    await expectLinear({
      name: 'rows with dates',
      make: (size) => {
        const rows = Array.from({ length: size }, (_, id) => ({ id, at: new Date(id) }))
        return () => plainAnswer(rows)
      },
    })
  })
})
