// Agents of peers, with a model in the same process that answers at once: what is measured is the agent's own work.

import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { tool as langChainTool } from '@langchain/core/tools'
import { jsonSchema, stepCountIs, ToolLoopAgent, tool } from 'ai'
import { createAgent } from 'langchain'

const SCHEMA = { type: 'object', properties: {} }
const SAID = 'Done.'
const count = (value) => ({ total: value, noCache: value, cacheRead: 0, cacheWrite: 0 })
const USAGE = { inputTokens: count(1), outputTokens: { total: 1, text: 1, reasoning: 0 } }

/** What a model streams: first a call of the tool, if one is wanted, then a word. */
function partsFor(prompt, calls) {
  const isCall = calls && !prompt.some(({ role }) => role === 'tool')
  const unified = isCall ? 'tool-calls' : 'stop'
  return [
    { type: 'stream-start', warnings: [] },
    ...(isCall
      ? [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'write', input: '{}' }]
      : [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: SAID },
          { type: 'text-end', id: 't' },
        ]),
    { type: 'finish', finishReason: { unified, raw: undefined }, usage: USAGE },
  ]
}

function aiSdkModel(calls) {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'm',
    supportedUrls: {},
    doStream: async ({ prompt }) => ({ stream: ReadableStream.from(partsFor(prompt, calls)) }),
  }
}

/** AI SDK's agent, and its model asked as often without an agent. */
export function aiSdk(calls) {
  const model = aiSdkModel(calls)
  const write = tool({
    description: 'Writes.',
    inputSchema: jsonSchema(SCHEMA),
    execute: () => 'written',
  })
  const agent = new ToolLoopAgent({ model, tools: { write }, stopWhen: stepCountIs(16) })
  return {
    agent: async () => {
      const result = await agent.stream({ prompt: 'Go.' })
      let said = ''
      for await (const part of result.fullStream) if (part.type === 'text-delta') said += part.text
      check(said)
    },
    alone: async () => {
      for (const role of calls ? ['user', 'tool'] : ['user']) {
        const { stream } = await model.doStream({ prompt: [{ role }] })
        for await (const _ of stream);
      }
    },
  }
}

class Caller extends BaseChatModel {
  constructor(calls) {
    super({})
    this.calls = calls
  }
  _llmType() {
    return 'bench'
  }
  bindTools() {
    return this
  }
  async _generate(messages) {
    const isCall = this.calls && !messages.some((message) => message.getType() === 'tool')
    const message = isCall
      ? new AIMessage({ content: '', tool_calls: [{ id: 'call_1', name: 'write', args: {} }] })
      : new AIMessage(SAID)
    return { generations: [{ text: isCall ? '' : SAID, message }] }
  }
}

/** LangChain's agent, and its model asked as often without an agent. */
export function langChain(calls) {
  const model = new Caller(calls)
  const write = langChainTool(() => 'written', {
    name: 'write',
    description: 'Writes.',
    schema: SCHEMA,
  })
  const agent = createAgent({ model, tools: [write] })
  const messages = [new HumanMessage('Go.')]
  return {
    agent: async () => {
      const { messages: all } = await agent.invoke({ messages: [{ role: 'user', content: 'Go.' }] })
      check(all.at(-1).content)
    },
    alone: async () => {
      for (let request = 0; request <= (calls ? 1 : 0); request++) await model.invoke(messages)
    },
  }
}

function check(said) {
  if (said !== SAID) throw new Error(`The agent said "${said}".`)
}
