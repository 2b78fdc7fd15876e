// Reads jobs {name, url, model, turns, store?, tools?} from stdin and talks with each server in several turns, through
// `createOpenAI()(model)` and `createAnthropic()(model)` of the AI SDK as they are by default; prints the texts, the
// calls of each tool that ran here, and all tools that were shown.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI, openai } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai-7'

const openaiTools = openai.tools

let input = ''
for await (const piece of process.stdin) input += piece
const answers = []
for (const job of JSON.parse(input)) answers.push(await talk(job))
process.stdout.write(JSON.stringify(answers))

function modelOf({ api = 'openai', url, model, beta }) {
  const headers = beta ? { 'anthropic-beta': 'mcp-client-2025-11-20' } : {}
  if (api === 'anthropic') return createAnthropic({ baseURL: url, apiKey: 'any', headers })(model)
  const openai = createOpenAI({ baseURL: url, apiKey: 'any' })
  return api === 'chat' ? openai.chat(model) : openai(model)
}

function locateTool(ran) {
  return tool({
    description: 'Where a city is',
    inputSchema: jsonSchema({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: async ({ city }) => {
      ran.push(city)
      return '41.9, 12.5'
    },
  })
}

/** A tool that takes one text, with a grammar. */
function patchTool(ran) {
  const format = { type: 'grammar', syntax: 'regex', definition: '[^]+' }
  const own = openaiTools.customTool({ name: 'patch', description: 'Patches', format })
  return {
    ...own,
    execute: async (text) => {
      ran.push(text)
      return 'patched'
    },
  }
}

async function talk({ name, turns, mode = 'send', store, toolChoice, ...job }) {
  const [texts, ran, shown] = [[], [], []]
  const messages = []
  try {
    for (const content of turns) {
      messages.push({ role: 'user', content })
      const asked = {
        model: modelOf(job),
        messages,
        tools: { locate: locateTool(ran), ...(job.patches ? { patch: patchTool(ran) } : {}) },
        stopWhen: isStepCount(4),
        maxRetries: 0,
        ...(toolChoice === undefined ? {} : { toolChoice }),
        ...(store === undefined ? {} : { providerOptions: { openai: { store } } }),
      }
      const { text, steps, responseMessages } = await answer(mode, asked)
      texts.push(text)
      for (const { toolCalls } of steps) shown.push(...toolCalls.map(({ toolName }) => toolName))
      messages.push(...responseMessages)
    }
    return { name, texts, ran, shown }
  } catch (error) {
    return { name, texts, ran, shown, thrown: `${error?.responseBody ?? error?.stack ?? error}` }
  }
}

async function answer(mode, asked) {
  if (mode === 'send') return generateText(asked)
  const errors = []
  const stream = streamText({ ...asked, onError: ({ error }) => errors.push(error) })
  await stream.consumeStream()
  if (errors.length > 0) throw errors[0]
  const [text, steps] = await Promise.all([stream.text, stream.steps])
  return { text, steps, responseMessages: await stream.responseMessages }
}
