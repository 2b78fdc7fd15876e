import { createRuntime } from '@braidwork/agent'
import { createHost } from '@braidwork/core'

type Messages = readonly {
  readonly role: string
  readonly parts: readonly { readonly text?: string; readonly output?: unknown }[]
}[]

/** The most tasks of a call of `agent_spawn`. */
const MOST = 100

const promptOf = (part: number) => `Part ${part}.`

/** A provider that gives as many parts as it is asked for to subagents, and does a part at once. */
const PARTS = {
  kind: 'provider',
  name: 'parts',
  getModels: () => ['m'],
  getTags: () => ['text', 'tools', 'history-repair'],
  stream: (messages: Messages) => {
    const prompt = messages.find(({ role }) => role === 'user')?.parts[0]?.text ?? ''
    const count = Number(/^Give (\d+) parts/.exec(prompt)?.[1] ?? 0)
    const given = messages.filter(({ role }) => role === 'tool').length * MOST
    const id = `c${given}`
    if (given < count) {
      const length = Math.min(MOST, count - given)
      const tasks = Array.from({ length }, (_, at) => ({ prompt: promptOf(given + at) }))
      return [
        { type: 'tool-call-start', id, name: 'agent_spawn' },
        { type: 'tool-call-end', id, input: { tasks } },
      ]
    }
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: `${prompt} Done.` },
      { type: 'text-end', id },
    ]
  },
}

/** An agent with subagents. */
export async function partsAgent() {
  const host = await createHost({ plugins: [PARTS] as never })
  const agents = [{ id: 'root', subagents: true, max_rounds: 1000 }]
  const runtime = await createRuntime({ host, agents })
  const run = async (prompt: string, at_once: number) => {
    const stream = await runtime.run('root', { messages: prompt, childLimits: { at_once } })
    const { status, error, messages } = await stream.result
    if (status !== 'done') throw new Error(`The run ended as ${status}.`, { cause: error })
    return messages as Messages
  }
  return {
    /** Gives so many parts to subagents of one root. */
    give: async (count: number, atOnce: number): Promise<void> => {
      const messages = await run(`Give ${count} parts.`, atOnce)
      const results = messages.filter(({ role }) => role === 'tool')
      const said = results.flatMap(({ parts }) => parts[0]?.output as readonly { text: string }[])
      const isRight = said.every(({ text }, part) => text === `${promptOf(part)} Done.`)
      if (said.length !== count || !isRight) throw new Error('A subagent said something else.')
    },
    /** The same parts, each in a run of its own, without a root. */
    alone: async (count: number, atOnce: number): Promise<void> => {
      let next = 0
      const work = async () => {
        while (next < count) await run(promptOf(next++), atOnce)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    },
    close: () => host.close(),
  }
}
