import { createInterface } from 'node:readline'
import type { ApprovalVerdict, PendingApproval } from '@braidwork/agent'
import { asksPermission } from '@braidwork/agent/internal'
import { visible, visibleLine } from '../characters.ts'
import { stylesOf } from '../terminal.ts'
import { type Ask, askQuestion } from './ask-question.ts'
import { askOn } from './chat-input.ts'
import { shownCall, wholeCall } from './shown-call.ts'

const VIEW = /^v(?:iew)?$/i
const YES = /^y(?:es)?$/i

/**
 * Asks a person to approve each waiting tool call, or to answer its question, and returns their decisions. Without a terminal it asks
 * nobody and approves no call, and neither does it where the signal aborts before all are decided.
 */
export async function askApprovals(
  approvals: readonly PendingApproval[],
  ask: Ask | undefined,
  signal: AbortSignal,
): Promise<readonly ApprovalVerdict[]> {
  if (!ask) {
    const names = [...new Set(approvals.map(({ name }) => name))].join(', ')
    const { dim } = stylesOf(process.stderr)
    process.stderr.write(
      `${dim('warning')} Calls to ${visible(names)} need a person's ${approvals.every(({ isQuestion }) => isQuestion) ? 'answer' : 'approval'}, but there is no terminal to ask in.\n`,
    )
    return []
  }
  const verdicts: ApprovalVerdict[] = []
  try {
    for (const approval of approvals) {
      verdicts.push(await decideOn(approval)(approval, ask, signal))
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return []
  }
  return verdicts
}

/** How a person decides on what waits for them. */
function decideOn({ isQuestion: asks, input }: PendingApproval): typeof askQuestion {
  if (!asks) return askApproval
  return asksPermission(input) ? askPermission : askQuestion
}

async function askApproval(
  { approvalId, name, input }: PendingApproval,
  ask: Ask,
  signal: AbortSignal,
): Promise<ApprovalVerdict> {
  const { text, isWhole } = shownCall(name, input)
  let prompt = `Run ${text}? [${isWhole ? 'y/N' : 'y/N, or v to view all'}] `
  for (;;) {
    const answer = (await ask(prompt, signal)).trim()
    if (isWhole || !VIEW.test(answer)) return { approvalId, approved: YES.test(answer) }
    process.stderr.write(`${wholeCall(input)}\n`)
    prompt = `Run ${visibleLine(name)}? [y/N, or v to view all] `
  }
}

/** Asks for the approval that a delegate needs. */
async function askPermission(
  { approvalId, input }: PendingApproval,
  ask: Ask,
  signal: AbortSignal,
): Promise<ApprovalVerdict> {
  const { question } = Object(input) as { readonly question?: unknown }
  const answer = await ask(`${visible(String(question))} Run it? [y/N] `, signal)
  return { approvalId, approved: true, value: { approve: YES.test(answer.trim()) } }
}

/**
 * Returns a function that asks on standard error; `undefined` when nobody can type an answer, because standard input is
 * no terminal or has ended.
 * @param stop must abort the signal of each question; Ctrl-C and Ctrl-D call it
 */
export function askInTerminal(stop: () => void): Ask | undefined {
  if (!process.stdin.isTTY || process.stdin.readableEnded) return undefined
  return async (question, signal) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr })
    reader.on('SIGINT', stop)
    try {
      return await askOn(reader, stop)(question, signal)
    } finally {
      reader.close()
    }
  }
}
