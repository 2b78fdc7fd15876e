import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { timers } from './timers.ts'

/** Gives each test of a suite a controller. After the test, no timer and no listener of its signal may be left. */
export function useController(): () => AbortController {
  let before = 0
  let controller: AbortController
  beforeEach(() => {
    before = timers()
    controller = new AbortController()
  })
  afterEach(() => {
    // A timer of another file of tests may run out meanwhile.
    expect(timers(), 'timers that were left').to.be.at.most(before)
    expect(getEventListeners(controller.signal, 'abort'), 'listeners').to.have.length(0)
  })
  return () => controller
}
