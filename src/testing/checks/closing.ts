import { settle } from '@braidwork/core/internal'
import { messageOf } from '@braidwork/plugin/internal'
import { PATIENCE } from './cancelling.ts'
import { type Check, fault } from './check.ts'

const logsNothing: Check = {
  name: 'logs no error',
  about: 'hooks.md#the-context',
  run({ trial }) {
    const [logged] = trial.logged
    if (logged !== undefined) fault(`An error was logged: ${logged}`)
  },
}

const closes: Check = {
  name: 'closes without an error',
  about: 'hooks.md#close',
  async run(harness) {
    const before = harness.trial.logged.length
    await settle(harness.close(), { seconds: PATIENCE }).catch((error: unknown) =>
      fault(`The plugin does not close: ${messageOf(error)}`),
    )
    const logged = harness.trial.logged[before]
    if (logged !== undefined) fault(logged)
  },
}

/** The last checks of a suite. */
export const CLOSING: readonly Check[] = [logsNothing, closes]
