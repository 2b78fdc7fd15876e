import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ChatRequest, readRequest } from './request.ts'
import { type Answer, answerTo } from './rules.ts'

/** Milliseconds between two pieces of a stream. */
const PACE = 10
/** Milliseconds between two numbers of a slow count. */
const SLOW = 50

/** What became of a slow count: whoever asked for it can look whether it was stopped. */
interface Count {
  readonly mark: string
  sent: number
  state: 'running' | 'whole' | 'cut'
}

export interface ModelApi {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * A Chat Completions API on the loopback address whose model answers by rules. `GET /counts/MARK` tells what became of
 * a slow count: `{mark, sent, state}`, 404 if it did not begin.
 */
export async function startModelApi(): Promise<ModelApi> {
  const counts = new Map<string, Count>()
  const server = createServer((request, response) => {
    serve(request, response, counts).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  counts: Map<string, Count>,
): Promise<void> {
  const { method, url = '' } = request
  if (method === 'GET') {
    const count = counts.get(url.replace('/counts/', ''))
    send(response, count ? 200 : 404, count ?? { error: { message: 'Nobody asked for it.' } })
    return
  }
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece as string
  const asked = readRequest(body)
  await answer(asked, answerTo(asked), response, counts)
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function answer(
  { stream, model }: ChatRequest,
  answer: Answer,
  response: ServerResponse,
  counts: Map<string, Count>,
): Promise<void> {
  const chunk = { id: `chatcmpl-${Date.now()}`, object: 'chat.completion', created: 1, model }
  const usage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 }
  const reason = answer.kind === 'call' ? 'tool_calls' : 'stop'
  if (!stream) {
    const choices = [{ index: 0, message: messageOf(answer), finish_reason: reason }]
    send(response, 200, { ...chunk, choices, usage })
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = (delta: object, finish_reason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ ...chunk, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    )
  write({ role: 'assistant', content: '' })
  if (answer.kind === 'count') await countSlowly(answer, response, write, counts)
  else {
    for (const delta of deltasOf(answer)) {
      await pause(PACE)
      write(delta)
    }
  }
  if (response.destroyed) return
  write({}, reason)
  response.end(`data: ${JSON.stringify({ ...chunk, choices: [], usage })}\n\ndata: [DONE]\n\n`)
}

async function countSlowly(
  { to, mark }: Extract<Answer, { kind: 'count' }>,
  response: ServerResponse,
  write: (delta: object) => void,
  counts: Map<string, Count>,
): Promise<void> {
  const count: Count = { mark, sent: 0, state: 'running' }
  counts.set(mark, count)
  response.once('close', () => {
    if (count.state === 'running') count.state = 'cut'
  })
  while (count.sent < to && count.state === 'running') {
    count.sent++
    write({ content: `${count.sent} ` })
    await pause(SLOW)
  }
  if (count.state === 'running') count.state = 'whole'
}

function deltasOf(answer: Exclude<Answer, { kind: 'count' }>): readonly object[] {
  if (answer.kind === 'text') {
    return (answer.text.match(/\s*\S+\s*$|\s*\S+/g) ?? []).map((content) => ({ content }))
  }
  const text = JSON.stringify(answer.input)
  const half = Math.ceil(text.length / 2)
  const call = { index: 0, id: callId(), type: 'function' }
  return [
    { tool_calls: [{ ...call, function: { name: answer.name, arguments: '' } }] },
    ...[text.slice(0, half), text.slice(half)].map((piece) => ({
      tool_calls: [{ index: 0, function: { arguments: piece } }],
    })),
  ]
}

function messageOf(answer: Answer): object {
  if (answer.kind === 'text') return { role: 'assistant', content: answer.text }
  if (answer.kind === 'count') return { role: 'assistant', content: 'I count only in a stream.' }
  const { name, input } = answer
  const call = {
    id: callId(),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }
  return { role: 'assistant', content: null, tool_calls: [call] }
}

let calls = 0
function callId(): string {
  return `call_${++calls}`
}
