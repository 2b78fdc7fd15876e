import { createInterface } from 'node:readline/promises'
import type { ApprovalVerdict, PendingApproval } from '@braidwork/agent'
import { type Ask, askQuestion } from './ask-question.ts'
import { visible, visibleLine } from './characters.ts'
import { shorten, stylesOf } from './terminal.ts'

const LONGEST_INPUT = 500
const YES = /^y(?:es)?$/i

/**
 * Asks a person to approve each waiting tool call, or to answer its question, and returns their decisions. Without a terminal it asks
 * nobody and approves no call.
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
  for (const approval of approvals) {
    if (approval.isQuestion) {
      verdicts.push(await askQuestion(approval, ask, signal))
      continue
    }
    const { approvalId, name, input } = approval
    const call = `${visibleLine(name)}(${visible(shorten(JSON.stringify(input) ?? '', LONGEST_INPUT))})`
    const answer = await ask(`Run ${call}? [y/N] `, signal).catch(() => '')
    verdicts.push({ approvalId, approved: YES.test(answer.trim()) })
  }
  return verdicts
}

/** Returns a function that asks on standard error; `undefined` when standard input is not a terminal. */
export function askInTerminal(): Ask | undefined {
  if (!process.stdin.isTTY) return undefined
  return async (question, signal) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await reader.question(question, { signal })
    } finally {
      reader.close()
    }
  }
}
