import { expect } from 'chai'
import { longDate } from '../../../providers/scripted/moments.ts'

describe('a date in words', () => {
  it('names each month', () => {
    const dates = Array.from(
      { length: 12 },
      (_, at) => `2026-${String(at + 1).padStart(2, '0')}-03`,
    )
    expect(dates.map(longDate)).to.deep.equal(
      ['January February March April May June', 'July August September October November December']
        .join(' ')
        .split(' ')
        .map((month) => `3 ${month} 2026`),
    )
  })

  it('is the text itself where that is no date', () => {
    expect(['soon', '2026-13-01', '2026-1-1'].map(longDate)).to.deep.equal([
      'soon',
      '2026-13-01',
      '2026-1-1',
    ])
  })
})
