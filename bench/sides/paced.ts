import { createParser } from 'eventsource-parser'
import { ask, configFor, hostWith } from './own.ts'

/** A client of chat completions that reads one paced answer, and hands on each piece of its text. */
export interface PacedSide {
  readonly what: string
  readonly read: (onText: (text: string) => void) => Promise<unknown>
}

export async function ownPaced(url: string, extensions: number): Promise<PacedSide> {
  const host = await hostWith(extensions)
  const config = configFor(url, 'chat')
  return {
    what: `braidwork, ${extensions} extensions`,
    read: async (onText) => {
      for await (const event of host.stream(config, 'Hello')) {
        if (event.type === 'text-delta') onText(event.delta)
        if (event.type === 'error') throw new Error(event.error.message)
      }
    },
  }
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[]
}

export function barePaced(url: string): PacedSide {
  return {
    what: 'fetch, eventsource-parser, JSON.parse',
    read: async (onText) => {
      const { body } = await ask(url, 'chat')
      const decoder = new TextDecoder()
      const parser = createParser({
        onEvent: ({ data }) => {
          if (data === '[DONE]') return
          const { choices } = JSON.parse(data) as Chunk
          const content = choices[0]?.delta.content
          if (content) onText(content)
        },
      })
      if (!body) return
      for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }))
    },
  }
}
