/** The tool that the budget counts. */
const isSearch = ({ name }) => name === 'search'

/**
 * Ends a run that wants more searches than its agent has. The section `budget` of the agent says how many it has;
 * without the section, the feature only counts.
 *
 * @satisfies {import('braidwork/plugin').Feature}
 */
export default {
  kind: 'feature',
  name: 'budget',
  sections: {
    budget: {
      type: 'object',
      properties: { searches: { type: 'integer', minimum: 0 } },
      required: ['searches'],
      additionalProperties: false,
    },
  },
  stateKeys: { searches: { merge: 'sum', initial: 0 } },
  // The calls of an answer have not run yet: none of them runs if the run ends here.
  afterInference: ({ calls = [], state, sections }) => {
    const wanted = calls.filter(isSearch).length
    const { searches: most = Infinity } = sections.budget ?? {}
    if (wanted === 0 || state.searches + wanted <= most) return undefined
    const detail = `The budget is ${most} searches. The run has made ${state.searches}, and the answer asks for ${wanted} more.`
    return { end: { detail } }
  },
  // A call that failed has found nothing, and is not counted. The stop conditions of the agent end repeated failures.
  afterToolExecute: ({ results = [] }) => {
    const searches = results.filter((result) => isSearch(result) && !result.isError).length
    return searches === 0 ? undefined : { state: { searches } }
  },
}
