const PROMPT = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]

/** Reads jobs from stdin, asks each through the client that is made for it, and prints what came back. */
export async function runJobs(clientOf) {
  let input = ''
  for await (const piece of process.stdin) input += piece
  const results = []
  for (const job of JSON.parse(input)) results.push(await run(job, clientOf(job)))
  process.stdout.write(JSON.stringify(results))
}

async function run({ name, mode }, client) {
  try {
    const answer =
      mode === 'stream'
        ? await gather(await client.doStream({ prompt: PROMPT }))
        : await client.doGenerate({ prompt: PROMPT })
    return { name, ...shown(answer) }
  } catch (error) {
    return { name, thrown: String(error?.message ?? error) }
  }
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
    usage: usage && usageOf(usage),
    errors,
  }
}

/** Clients of AI SDK 5 count in plain numbers. */
function usageOf({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens, ...more }) {
  if (typeof inputTokens !== 'number') return { inputTokens, outputTokens, ...more }
  return {
    inputTokens: { total: inputTokens, cacheRead: cachedInputTokens },
    outputTokens: { total: outputTokens, reasoning: reasoningTokens },
  }
}
