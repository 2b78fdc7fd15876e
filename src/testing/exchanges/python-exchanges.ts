import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { PYTHON_EXCHANGES, type PythonExchangeStep } from '@braidwork/core/internal'
import type { Noted } from './noted.ts'

/**
 * Notes all requests of plugins in Python, in interpreters that start from here on.
 * @returns ends it
 */
export function observePython(note: (noted: Noted) => void): () => void {
  const open = new Map<string, Noted>()
  const onStep = (message: unknown): void => {
    const step = message as PythonExchangeStep
    if (step.t === 'asked') {
      const noted = notedOf(step)
      open.set(step.i, noted)
      note(noted)
      return
    }
    const noted = open.get(step.i)
    if (!noted) return
    take(noted, step)
    if (step.t === 'ended') open.delete(step.i)
  }
  subscribe(PYTHON_EXCHANGES, onStep)
  return () => void unsubscribe(PYTHON_EXCHANGES, onStep)
}

type Asked = Extract<PythonExchangeStep, { t: 'asked' }>

function notedOf({ m: method, u: url, h }: Asked): Noted {
  return {
    method,
    url,
    headers: headersOf(h),
    sent: [],
    received: [],
    status: 0,
    responseHeaders: new Map(),
    isEnded: false,
  }
}

function take(noted: Noted, step: Exclude<PythonExchangeStep, Asked>): void {
  switch (step.t) {
    case 'sent':
      noted.sent.push(Buffer.from(step.d, 'base64'))
      break
    case 'answered':
      noted.status = step.s
      noted.responseHeaders = headersOf(step.h)
      break
    case 'received':
      noted.received.push(Buffer.from(step.d, 'base64'))
      break
    case 'ended':
      noted.isEnded = true
  }
}

function headersOf(headers: Asked['h']): ReadonlyMap<string, string> {
  return new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
}
