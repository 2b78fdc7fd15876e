import { channel } from 'node:diagnostics_channel'
import { PYTHON_EXCHANGES } from '@braidwork/core/internal'
import type { Message } from './pythonia.ts'

const exchanges = channel(PYTHON_EXCHANGES)

/** Whether a recorder waits for the exchanges of plugins. */
export function areExchangesRecorded(): boolean {
  return exchanges.hasSubscribers
}

/** Passes a step of an exchange on to recorders. */
export function onExchange(message: Message): void {
  exchanges.publish(message)
}
