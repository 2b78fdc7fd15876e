// Agents of peers that ask another agent, with a model in the same process that answers at once.

import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { createSupervisor } from '@langchain/langgraph-supervisor'
import { Agent, run, setTracingDisabled, Usage } from '@openai/agents'

const SAID = 'Done.'
const TRANSFER = 'transfer_to_worker'

setTracingDisabled(true)

function callOf(name, input) {
  return {
    type: 'function_call',
    callId: 'call_1',
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
  }
}

const MESSAGE = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: SAID }],
}

/** A model that makes a call, if one is given, and then says a word. */
function openAiModel(call) {
  return {
    getResponse: async ({ input }) => {
      const isAnswered = typeof input !== 'string' && input.some(({ type }) => type !== 'message')
      return { usage: new Usage(), output: [call && !isAnswered ? call : MESSAGE] }
    },
  }
}

/** @param last the agent that has the last word */
function openAiSide(root, model, { requests, last }) {
  return {
    agent: async () => {
      const { finalOutput, lastAgent } = await run(root, 'Go.')
      if (lastAgent.name !== last) throw new Error(`The last word was that of "${lastAgent.name}".`)
      check(finalOutput)
    },
    alone: async () => {
      for (let request = 0; request < requests; request++) await model.getResponse({ input: 'Go.' })
    },
  }
}

const openAiWorker = () => new Agent({ name: 'worker', model: openAiModel() })

/** OpenAI's agent that hands over to another one, whose answer is the last word: two requests. */
export function openAiHandoff() {
  const model = openAiModel(callOf(TRANSFER, {}))
  const root = new Agent({ name: 'root', model, handoffs: [openAiWorker()] })
  return openAiSide(root, model, { requests: 2, last: 'worker' })
}

/** OpenAI's agent that has another one as a tool, and answers itself: three requests. */
export function openAiTool() {
  const model = openAiModel(callOf('ask_worker', { input: 'Go.' }))
  const tool = openAiWorker().asTool({ toolName: 'ask_worker', toolDescription: 'Asks it.' })
  const root = new Agent({ name: 'root', model, tools: [tool] })
  return openAiSide(root, model, { requests: 3, last: 'root' })
}

class Caller extends BaseChatModel {
  constructor(call) {
    super({})
    this.call = call
  }
  _llmType() {
    return 'bench'
  }
  bindTools() {
    return this
  }
  async _generate(messages) {
    const isCall = this.call && !messages.some((message) => message.getType() === 'tool')
    const message = isCall
      ? new AIMessage({ content: '', tool_calls: [this.call] })
      : new AIMessage(SAID)
    return { generations: [{ text: isCall ? '' : SAID, message }] }
  }
}

/** LangGraph's supervisor of one agent, which answers after it: three requests. */
export function langGraph() {
  const model = new Caller({ id: 'call_1', name: TRANSFER, args: {} })
  const worker = createReactAgent({ llm: new Caller(), tools: [], name: 'worker' })
  const graph = createSupervisor({ agents: [worker], llm: model, outputMode: 'last_message' })
  const root = graph.compile()
  const messages = [new HumanMessage('Go.')]
  return {
    agent: async () => {
      const { messages: all } = await root.invoke({ messages: [{ role: 'user', content: 'Go.' }] })
      // The worker has been asked: it has its own message beside those of the supervisor.
      if (!all.some(({ name }) => name === 'worker')) throw new Error('The worker was not asked.')
      check(all.at(-1).content)
    },
    alone: async () => {
      for (let request = 0; request < 3; request++) await model.invoke(messages)
    },
  }
}

function check(said) {
  if (said !== SAID) throw new Error(`The agent said "${said}".`)
}
