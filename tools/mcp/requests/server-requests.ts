import type { Client } from '@modelcontextprotocol/client'
import { levelOf, type ServerLog } from '../server-log.ts'
import type { ServerSettings } from '../settings.ts'
import type { Elicitations } from './elicitations.ts'
import { rootOf } from './roots.ts'
import type { Elicitation, SamplingRequest } from './server-questions.ts'

interface Handling {
  readonly server: ServerSettings
  readonly roots: readonly string[]
  readonly log: ServerLog
  readonly questions: Elicitations
}

/** Sets what a client does when its server asks for something, or writes to the log. */
export function setHandlers(client: Client, { server, roots, log, questions }: Handling): void {
  client.setRequestHandler('elicitation/create', ({ params }) =>
    questions.ask(params as Elicitation),
  )
  if (server.sampling) {
    client.setRequestHandler('sampling/createMessage', ({ params }) =>
      questions.sample(params as unknown as SamplingRequest),
    )
  }
  if (roots.length > 0) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map(rootOf) }))
  }
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data)
    log.tell(levelOf(params.level), text)
  })
}
