import { faultOf } from './bodies.ts'
import type { AttackQuestion } from './harness/question.ts'
import { asked } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'
import type { Candidate } from './largest-bodies.ts'

/** Milliseconds that each protocol's worst body is repeated, and from one to the next: 600 a minute. */
const DURATION = 10_000
const PERIOD = 100
const PATIENCE = 20_000

/** For each protocol the body that costs most, over and over, by one identity, as often as one may ask. */
export async function sendWorst(question: AttackQuestion): Promise<Outcome> {
  const tally = new Tally()
  for (const [index, candidate] of (question.worst ?? []).entries()) {
    await repeat(candidate, question.tokens[index] as string, question, tally)
  }
  return tally.outcome
}

/** As often as one identity may ask, whatever the ones before are at. */
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

/** The same in a conversation of its own, where the protocol has any. */
function fresh(body: string, time: number): string {
  return body.replace(/"(id|threadId)":"attack-/, `"$1":"attack-${time}-`)
}
