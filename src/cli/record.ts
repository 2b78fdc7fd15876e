import { existsSync } from 'node:fs'
import { HostError } from '@braidwork/plugin'
import { type Exchange, recordExchanges } from '@braidwork/testing'
import { EXIT } from './exit.ts'
import { onHostOpened } from './open-host.ts'

export interface RecordOptions {
  readonly out: string
  readonly force?: boolean
}

type Mask = (text: string) => string

/**
 * Runs a command of this program, and writes its exchanges with model APIs to a file. What was exchanged before the
 * command failed is written too. @returns the exit status of the command
 */
export async function recordCommand(
  run: () => Promise<number>,
  { out, force = false }: RecordOptions,
): Promise<number> {
  if (!force && existsSync(out)) {
    const message = `"${out}" is there already. Name another file with --out, or replace it with --force.`
    throw new HostError('OPTION_INVALID', message)
  }
  const masks: Mask[] = []
  const forget = onHostOpened((host) => masks.push((text) => host.maskTexts(text)))
  const recorder = recordExchanges()
  try {
    const status = await run()
    const mask: Mask = (text) => masks.reduce((masked, one) => one(masked), text)
    if (recorder.exchanges().length === 0) return nothingRecorded(status)
    await recorder.write(out, { mask, replaces: force })
    tellRecorded(out, recorder.exchanges())
    return status
  } finally {
    forget()
    recorder.stop()
  }
}

function tellRecorded(out: string, exchanges: readonly Exchange[]): void {
  const { length } = exchanges
  const cut = exchanges.filter(({ response }) => response.is_cut).length
  process.stderr.write(`Recorded ${length} ${length === 1 ? 'exchange' : 'exchanges'} in ${out}.\n`)
  if (cut === 0) return
  process.stderr.write(
    `The answer of ${cut} of them is cut ("is_cut"), and no test takes it: the connection was lost, or the provider left before the end of the body and that did not follow soon.\n`,
  )
}

/** A command that failed has said why. */
function nothingRecorded(status: number): number {
  if (status !== EXIT.ok) return status
  process.stderr.write(
    'Nothing was recorded: no plugin asked an API over a connection that is recorded (docs/testing.md#recording-exchanges in the package braidwork).\n',
  )
  return EXIT.failed
}
