import type { FinishEvent } from '@braidwork/plugin'

/** The stop conditions that an answer meets by what it says. All others cut a run off that would go on. */
const MET = new Set(['stop_on_tool', 'content_match'])

/**
 * Returns the finish of a run for protocols that know only how an answer ended. A run that a limit cut off ends like an
 * answer that is too long: otherwise its answer, which may be empty, would count as whole.
 */
export function toldFinish(finish: FinishEvent): FinishEvent {
  const { termination } = finish
  const isCut = termination?.reason === 'stopped' && !MET.has(termination.code)
  return isCut ? { ...finish, finishReason: 'length' } : finish
}
