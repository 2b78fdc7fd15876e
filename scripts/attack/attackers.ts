/** The process from which a server is attacked. */
import { answerQuestions } from '../../test/server/load/processes.ts'
import { abortStreams } from './aborted-streams.ts'
import { sendBodies } from './bodies.ts'
import { explode } from './bombs.ts'
import { flood } from './floods.ts'
import type { AttackQuestion } from './harness/question.ts'
import type { Outcome } from './harness/tally.ts'
import { workHonestly } from './honest-work.ts'
import { findWorst } from './largest-bodies.ts'
import { staySilent } from './silent-sockets.ts'
import { sendWorst } from './worst-bodies.ts'

const ATTACKS: ReadonlyMap<string, (question: AttackQuestion) => Promise<Outcome>> = new Map([
  ['honest work', workHonestly],
  ['bodies', sendBodies],
  ['largest bodies', findWorst],
  ['worst bodies', sendWorst],
  ['bombs', explode],
  ['floods', flood],
  ['aborted streams', abortStreams],
  ['silent sockets', staySilent],
])

answerQuestions((question: AttackQuestion) => ATTACKS.get(question.attack)?.(question))
