import { faultOf } from './bodies.ts'
import type { AttackQuestion, Candidate } from './harness/question.ts'
import { asked } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'

/** Milliseconds for which each protocol's most expensive body is repeated, and between two requests (600 a minute). */
const DURATION = 10_000
const PERIOD = 100
const PATIENCE = 20_000

/** Repeats the most expensive body of each protocol as one identity, as often as the rate limit allows. */
export async function sendWorst(question: AttackQuestion): Promise<Outcome> {
  const tally = new Tally()
  for (const [index, candidate] of (question.worst ?? []).entries()) {
    await repeat(candidate, question.tokens[index] as string, question, tally)
  }
  return tally.outcome
}

/** Sends a body at the rate limit of one identity, without waiting for earlier responses. */
async function repeat(
  { path, body, what }: Candidate,
  token: string,
  { url, scale }: AttackQuestion,
  tally: Tally,
): Promise<void> {
  const sending: Promise<void>[] = []
  for (let time = 0; time < (DURATION * scale) / PERIOD; time++) {
    const sent = asked(url, path, { token, body: fresh(body, time), patience: PATIENCE }).then(
      (answer) => tally.add(faultOf(answer)),
      (error: unknown) => tally.add(`${what} at ${path}: ${String(error)}`),
    )
    sending.push(sent)
    await new Promise((resolve) => setTimeout(resolve, PERIOD))
  }
  await Promise.all(sending)
}

/** The body with a new conversation id, if the protocol has one. */
function fresh(body: string, time: number): string {
  return body.replace(/"(id|threadId)":"attack-/, `"$1":"attack-${time}-`)
}
