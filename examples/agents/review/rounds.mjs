/** The tool by which the author asks the reviewer. */
const isReview = ({ name }) => name === 'team_broadcast_review'

/**
 * Ends a run whose drafts are rejected again and again. The section `rounds` of the agent says how often they may be;
 * without the section, the feature only counts.
 *
 * @satisfies {import('braidwork/plugin').Feature}
 */
export default {
  kind: 'feature',
  name: 'rounds',
  sections: {
    rounds: {
      type: 'object',
      properties: { rejected: { type: 'integer', minimum: 1 } },
      required: ['rejected'],
      additionalProperties: false,
    },
  },
  stateKeys: { rejected: { merge: 'sum', initial: 0 } },
  afterToolExecute: ({ results = [], state, sections }) => {
    const rejected = results.filter(isReview).flatMap(({ output }) => rejectionsIn(output)).length
    if (rejected === 0) return undefined
    const all = state.rejected + rejected
    const { rejected: most = Infinity } = sections.rounds ?? {}
    const detail = `The reviewer has rejected ${all} drafts.`
    return { state: { rejected }, ...(all >= most ? { end: { detail } } : {}) }
  },
}

/** What the reviewers said who rejected a draft. A reviewer that failed has rejected nothing. */
function rejectionsIn(output) {
  const told = Array.isArray(output) ? output : []
  return told.filter(({ status, text }) => status === 'done' && /^Rejected/i.test(text))
}
