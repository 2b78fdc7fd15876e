import { expect } from 'chai'
import fc from 'fast-check'
import { Schedule } from '../../../providers/scripted/pause.ts'

describe('the pace of scripted', () => {
  it('is a chunk a period, however late each is noticed', () => {
    const lateness = fc.array(fc.integer({ min: 0, max: 49 }), { minLength: 1 })
    fc.assert(
      fc.property(lateness, (late) => {
        const schedule = new Schedule(50, 1000)
        let now = 1000
        for (const [index, delay] of late.entries()) {
          now += schedule.pause(now)
          expect(now).to.equal(1000 + 50 * (index + 1))
          now += delay
        }
      }),
    )
  })

  it('makes up for nothing that is late by more than a period', () => {
    const schedule = new Schedule(50, 0)
    expect(schedule.pause(0)).to.equal(50)
    expect(schedule.pause(400)).to.equal(0)
    expect(schedule.pause(401)).to.equal(49)
  })
})
