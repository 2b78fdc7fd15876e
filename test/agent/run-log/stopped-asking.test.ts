import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { expectAgreement } from '../agreement/index.ts'
import { FailingRuns } from './failing-runs.ts'

describe('a run that asks for approvals', () => {
  /** Stops the runs at the first event of a type after an approval was asked for. */
  async function stoppedAt(type: RunEvent['type']) {
    let hasAsked = false
    let stop = (): void => undefined
    const onEvent = (event: RunEvent) => {
      hasAsked ||= event.type === 'approval-required'
      if (hasAsked && event.type === type) stop()
    }
    const runs = await FailingRuns.create({ talks: ['one'], more: { onEvent } })
    stop = () => void runs.stop('one')
    const storage = memoryStorage()
    await runs.prepare(storage)
    await runs.begin(storage)
    await runs.close()
    await expectAgreement(storage, async () => memoryStorage(), type)
    return { runs, storage, run: (await runs.runs(storage))[0] }
  }

  for (const type of ['approval-required', 'run-state'] as const) {
    it(`is aborted, and waits no more, where it is stopped at "${type}"`, async () => {
      const { runs, storage, run } = await stoppedAt(type)
      expect(run).to.include({ status: 'aborted' })
      expect(runs.told.answered).to.deep.equal([])
      expect(await storage.runs.open('ada', 'one')).to.equal(undefined)
    })
  }

  it('waits where it is stopped as it ends', async () => {
    const { runs } = await stoppedAt('finish')
    expect(runs.told.answered).to.have.length(1)
  })

  it('shows its readers each event once, in order, with its state', async () => {
    const runs = await FailingRuns.create({ talks: ['one'] })
    const storage = memoryStorage()
    await runs.prepare(storage)
    await runs.begin(storage)
    await runs.close()
    const told = runs.told.events.get('run-one') ?? []
    expect(told.map(({ seq }) => seq)).to.deep.equal(told.map((_, index) => index))
    const asked = told.findIndex(({ type }) => type === 'approval-required')
    expect(told.slice(asked, asked + 3).map(({ type }) => type)).to.deep.equal([
      'approval-required',
      'run-state',
      'finish',
    ])
  })
})
