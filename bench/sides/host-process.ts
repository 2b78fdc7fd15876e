/**
 * A process whose host answers as many requests as its parent says: alone, with nothing but its provider, or as the
 * server uses it, in runs with the plugins that the command has.
 */
import { run } from '@braidwork/agent'
import { createHost } from '@braidwork/core'
import { configFor, hostWith } from './own.ts'

const BUNDLED = [
  '@braidwork/provider-openai',
  '@braidwork/provider-scripted',
  '@braidwork/extension-think-tags',
  '@braidwork/feature-instructions',
  '@braidwork/tool-calculator',
  '@braidwork/tool-clock',
]

const [, , url = '', kind = ''] = process.argv
const config = configFor(url, 'chat')
const host = await (kind === 'run' ? createHost({ plugins: BUNDLED }) : hostWith(0))
const asking =
  kind === 'run' ? (_: boolean) => drain(run(host, { config, messages: 'Hello' })) : alone

interface Asked {
  readonly id: number
  readonly isStreamed: boolean
  readonly count: number
}

process.on('message', (asked: Asked) => {
  void answer(asked)
})

async function answer({ id, isStreamed, count }: Asked): Promise<void> {
  for (let at = 0; at < count; at++) await asking(isStreamed)
  process.send?.(id)
}

async function alone(isStreamed: boolean): Promise<void> {
  if (isStreamed) await drain(host.stream(config, 'Hello'))
  else await host.send(config, 'Hello')
}

async function drain(events: AsyncIterable<{ readonly type: string }>): Promise<void> {
  for await (const event of events) {
    if (event.type === 'error') throw new Error(JSON.stringify(event))
  }
}

process.send?.('ready')
