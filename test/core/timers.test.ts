import { expect } from 'chai'
import { IdleTimer, timerOf } from '../../src/core/timers.ts'
import { timers } from '../helpers/timers.ts'

describe('IdleTimer', () => {
  const sleep = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds))

  it('tells of a silence once, until it is touched again', async () => {
    let told = 0
    const timer = new IdleTimer(5, () => void told++)
    timer.touch()
    await sleep(30)
    expect(told).to.equal(1)
    timer.touch()
    await sleep(30)
    expect(told).to.equal(2)
  })

  /** The milliseconds until a timer of 40 ms tells of a silence, although it is touched without news all the time. */
  const putOff = (news: number) =>
    new Promise<number>((resolve) => {
      const begun = performance.now()
      const onIdle = () => {
        clearInterval(touches)
        resolve(performance.now() - begun)
      }
      const timer = new IdleTimer(40, onIdle)
      for (let at = 0; at < news; at++) timer.touch()
      const touches = setInterval(() => timer.touch(false), 5)
    })

  it('is put off a few times only where there is no news', async () => {
    expect(await putOff(2)).to.be.at.least(39)
  })

  it('is put off for longer before the first news', async () => {
    expect(await putOff(1)).to.be.at.least(5 * 40)
  })

  it('tells nothing before it is touched, while it is, and once it is stopped', async () => {
    // The test runner's own timer begins with the test.
    await sleep(1)
    const before = timers()
    let told = 0
    const timer = new IdleTimer(200, () => void told++)
    for (let at = 0; at < 10; at++) {
      await sleep(30)
      timer.touch()
    }
    timer.stop()
    expect(timers()).to.be.at.most(before)
    await sleep(250)
    expect(told).to.equal(0)
  })
})

describe('timerOf', () => {
  it('never gives more than Node can wait', () => {
    expect(timerOf(1.5)).to.equal(1500)
    expect(timerOf(10 ** 9)).to.equal(2 ** 31 - 1)
  })
})
