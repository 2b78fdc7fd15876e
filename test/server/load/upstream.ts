/** A model API that tells the text in chat completions, word by word, in a process of its own. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Schedule } from '../../../providers/scripted/pause.ts'
import { answerQuestions } from './processes.ts'
import { stamped, wordAt } from './stamps.ts'

export interface UpstreamQuestion {
  readonly words: number
  /** Milliseconds between two words. */
  readonly pause: number
}

answerQuestions(async ({ words, pause }: UpstreamQuestion) => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => tell(response, words, pause))
  })
  // A connection that is closed as it is used again would be no fault of the server under load.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
})

function tell(response: ServerResponse, words: number, pause: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const schedule = new Schedule(pause, performance.now())
  const wait = () => setTimeout(tellNext, schedule.pause(performance.now()))
  let index = 0
  let timer = wait()
  response.once('close', () => clearTimeout(timer))

  function tellNext(): void {
    if (index < words) {
      const content = stamped(`${index === 0 ? '' : ' '}${wordAt(index++)}`)
      response.write(frameOf({ delta: { content }, finish_reason: null }))
      timer = wait()
    } else response.end(`${frameOf({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
  }
}

function frameOf(choice: object): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'paced' }
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`
}
