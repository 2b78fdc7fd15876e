/**
 * A program that asks a hostile API, in a process of its own, whose memory is measured. Arguments: a provider, the
 * format, and a list of `{attack, mode, url, limits}` as JSON. Prints what each came to, a line of JSON each.
 */

import { createHost, HostError } from '@braidwork/core'
import anthropic from '@braidwork/provider-anthropic'
import openai from '@braidwork/provider-openai'
import compatible from '@braidwork/provider-openai-compatible'

export interface Case {
  readonly attack: string
  readonly mode: 'send' | 'stream' | 'refreshModels'
  readonly url: string
  readonly limits: { readonly [limit: string]: number }
}

export interface Outcome {
  readonly attack: string
  readonly mode: string
  readonly code: string
  readonly message: string
  /** Parts that had arrived. */
  readonly parts: number
  readonly milliseconds: number
  /** Mebibytes that the process grew by, at the most. */
  readonly grown: number
}

const [name = '', api = '', list = '[]'] = process.argv.slice(2)
await using host = await createHost({ plugins: [anthropic, openai, compatible] })

const partsIn = (messages: readonly object[] = []): number =>
  messages.reduce(
    (sum, message) => sum + (message as { parts: readonly unknown[] }).parts.length,
    0,
  )

async function outcomeOf({ mode, url, limits }: Case) {
  const own = { api_key: 'sk-test-0123456789', base_url: url, max_retries: 0 }
  const settings = { [name]: { ...own, ...(name === 'openai' ? { api } : {}) } }
  const config = { provider: name, model: 'm', limits, settings }
  if (mode === 'stream') {
    const { status, error, messages } = await host.stream(config, 'Hello').result
    return { code: error?.code ?? status, message: error?.message ?? '', parts: partsIn(messages) }
  }
  try {
    const answer = mode === 'send' ? await host.send(config, 'Hello') : undefined
    if (!answer) await host.refreshModels(config)
    return { code: 'done', message: '', parts: partsIn(answer?.messages) }
  } catch (error) {
    if (!HostError.is(error)) throw error
    return { code: error.code, message: error.message, parts: partsIn(error.partial) }
  }
}

for (const asked of JSON.parse(list) as readonly Case[]) {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const look = (): void => {
    most = Math.max(most, process.memoryUsage().rss)
  }
  const watch = setInterval(look, 10)
  const begun = performance.now()
  const outcome = await outcomeOf(asked)
  look()
  clearInterval(watch)
  const { attack, mode } = asked
  const milliseconds = Math.round(performance.now() - begun)
  const grown = Math.round((most - before) / 1024 / 1024)
  const line: Outcome = { attack, mode, ...outcome, milliseconds, grown }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
