import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { MainThread, turnOf } from '../../src/python/main-thread.ts'
import type { PythonProcess } from '../../src/python/python-process.ts'

describe('the limits of hooks on the main thread', () => {
  const { setTimeout: original } = globalThis
  let begun = 0
  beforeEach(() => {
    begun = 0
    globalThis.setTimeout = ((...args: Parameters<typeof original>) => {
      begun++
      return original(...args)
    }) as typeof original
  })
  afterEach(() => {
    globalThis.setTimeout = original
  })

  it('are those of each hook, watched by a timer that seldom looks', async () => {
    const signals: string[] = []
    const thread = new MainThread({
      signal: (name) => void signals.push(name),
      kill: () => undefined,
    } as PythonProcess)
    const [quick, slow] = [turnOf(0.05), turnOf(0.25)]
    thread.enter(quick)
    thread.leave(quick)
    thread.enter(slow)
    await sleep(150)
    expect(signals).to.deep.equal([])
    expect(begun).to.be.at.most(5)
    await sleep(200)
    expect(signals).to.include('SIGUSR1')
    thread.end()
  })
})
