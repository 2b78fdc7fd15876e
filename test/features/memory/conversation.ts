import memory from '../../../features/memory/index.ts'
import { bindRequest, prepare } from '../../../src/core/chain/index.ts'
import { resolve } from '../../../src/core/resolve/resolve.ts'
import { MemoryValues } from '../../../src/core/storage.ts'
import type { Config } from '../../../src/plugin/config.ts'
import { createContexts } from '../../../src/plugin/context.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import type { PluginStorage } from '../../../src/plugin/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { eventProvider } from '../../helpers/plugins.ts'

const PLUGINS = [eventProvider([]), memory as unknown as AnyPlugin]

export interface Setup {
  readonly storage?: PluginStorage
  readonly settings?: { readonly [name: string]: unknown }
  readonly conversationId?: string | undefined
  readonly signal?: AbortSignal
}

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

export function system(...texts: string[]): Message {
  return { role: 'system', parts: texts.map((text) => ({ type: 'text', text })) }
}

/** One conversation of the feature, over any storage: what its actions answer, and what a request shows. */
export function conversation(setup: Setup = {}) {
  const { storage = new MemoryValues().storageOf('memory', 'c'), settings = {} } = setup
  const conversationId = 'conversationId' in setup ? setup.conversationId : 'c'
  const config: Config = { enabled_plugins: ['memory'], settings: { memory: settings } }
  const warnings: string[] = []
  const signal = setup.signal ?? new AbortController().signal
  const contextOf = () =>
    createContexts({
      signal,
      log: () => undefined,
      warn: (_plugin, message) => warnings.push(message),
      emit: () => undefined,
      configOf: () => config,
      settingsOf: () => settings,
      tags: new Set(),
      modelInfo: {},
      requestId: 'r',
      storageOf: () => storage,
      ...(conversationId === undefined ? {} : { conversationId }),
    })
  return {
    storage,
    warnings,
    act: (id: string, input?: unknown): Promise<unknown> =>
      memory.runAction(id, input, contextOf()('memory', 'settings')),
    /** The messages as the provider sees them. */
    async ask(messages: readonly Message[] = [user('Hello')]): Promise<readonly Message[]> {
      const { plugins } = await resolve(PLUGINS, config)
      const request = { plugins, config, messages, contextOf: contextOf() }
      return (await prepare(bindRequest(request))).native as readonly Message[]
    },
  }
}

/** The facts that messages show, read back out of their block. */
export function shownIn(messages: readonly Message[]): readonly { id: string; text: string }[] {
  const texts = messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) => (role === 'system' && part.type === 'text' ? [part.text] : [])),
  )
  const blocks = texts.filter((text) => text.includes('\n<memory>\n'))
  if (blocks.length > 1) throw new Error('there is more than one block')
  return blocks.flatMap((block) => {
    const lines = block.split('\n')
    return lines.slice(lines.indexOf('<memory>') + 1, -1).map((line) => JSON.parse(line))
  })
}

export function textsIn(messages: readonly Message[]): readonly string[] {
  return shownIn(messages).map(({ text }) => text)
}
