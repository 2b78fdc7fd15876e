import { expect } from 'chai'
import { type Environment, systemEnvironment } from '../../../src/agent/environment.ts'
import { withRetries } from '../../../src/agent/run-log/commit-queue.ts'
import { HostError } from '../../../src/plugin/errors.ts'

describe('what the run log tries again', () => {
  let now = 0
  const environment: Environment = {
    ...systemEnvironment,
    elapsed: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }

  /** Tries that each take so long, and fail; how many there were, and when the last had ended. */
  async function tried(milliseconds: number, retryable: boolean) {
    now = 0
    let tries = 0
    const failure: unknown = await withRetries(environment, async () => {
      tries++
      now += milliseconds
      throw new HostError('STORAGE_FAILED', 'locked', { retryable })
    }).catch((error: unknown) => error)
    expect(failure).to.include({ code: 'STORAGE_FAILED' })
    return { tries, now }
  }

  it('is what may pass, for some seconds', async () => {
    expect(await tried(0, true)).to.deep.equal({ tries: 8, now: 3925 })
  })

  it('is given up after ten seconds where each try takes long', async () => {
    expect(await tried(5000, true)).to.deep.equal({ tries: 2, now: 10_025 })
  })

  it('is not what will not pass', async () => {
    expect(await tried(0, false)).to.deep.equal({ tries: 1, now: 0 })
  })
})
