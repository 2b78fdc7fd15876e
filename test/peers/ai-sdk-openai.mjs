// Reads jobs [{name, api, mode, url, model}] from stdin, asks each through the published client, and
// prints what it made of the answers. Runs on Node 22, which that client needs.
import { createOpenAI } from '@ai-sdk/openai'

const PROMPT = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]

async function answerOf({ api, mode, url, model }) {
  const openai = createOpenAI({ baseURL: url, apiKey: 'test-key' })
  const client = api === 'chat' ? openai.chat(model) : openai.responses(model)
  return mode === 'stream'
    ? gather(await client.doStream({ prompt: PROMPT }))
    : client.doGenerate({ prompt: PROMPT })
}

async function gather({ stream }) {
  const content = []
  const open = new Map()
  const answer = { content, errors: [] }
  for await (const part of stream) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const segment = { type: part.type.slice(0, part.type.indexOf('-')), text: '' }
      open.set(part.id, segment)
      content.push(segment)
    } else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      open.get(part.id).text += part.delta
    } else if (part.type === 'finish') {
      answer.finishReason = part.finishReason
      answer.usage = part.usage
    } else if (part.type === 'error') {
      answer.errors.push(String(part.error?.message ?? JSON.stringify(part.error)))
    } else if (['tool-call', 'tool-result', 'source', 'file'].includes(part.type)) {
      content.push(part)
    }
  }
  return answer
}

function shown({ content, finishReason, usage, errors = [] }) {
  const textOf = (type) =>
    content
      .filter((part) => part.type === type)
      .map((part) => part.text)
      .join('')
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: content.filter((part) => part.type === 'tool-call'),
    results: content.filter((part) => part.type === 'tool-result').map((part) => part.toolCallId),
    sources: content.filter((part) => part.type === 'source'),
    finishReason: finishReason?.unified ?? finishReason,
    usage,
    errors,
  }
}

async function run(job) {
  try {
    return { name: job.name, ...shown(await answerOf(job)) }
  } catch (error) {
    return { name: job.name, thrown: String(error?.message ?? error) }
  }
}

let input = ''
for await (const piece of process.stdin) input += piece
const results = []
for (const job of JSON.parse(input)) results.push(await run(job))
process.stdout.write(JSON.stringify(results))
