import { isOfHost, type MessageNode } from '@braidwork/agent/internal'
import { isAnswer } from './path.ts'

/**
 * Splits the messages of a path as a chat page shows them: an answer with its steps and the results of its calls is one
 * group, any other message one of its own.
 */
export function answerGroups(nodes: readonly MessageNode[]): readonly (readonly MessageNode[])[] {
  const groups: MessageNode[][] = []
  let isAnswering = false
  for (const node of nodes) {
    if (isOfHost(node.message)) continue
    const last = groups.at(-1)
    if (last && isAnswering && isAnswer(node.message)) last.push(node)
    else groups.push([node])
    isAnswering = isAnswer(node.message)
  }
  return groups
}
