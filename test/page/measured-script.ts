const WORDS = 'one two three four five six seven eight nine ten '.repeat(200)

export const CALLS = 50

/** Answers of a model that are much for a page. */
export const MEASURED_SCRIPT: readonly object[] = [
  // Five characters each five milliseconds are 200 tokens a second.
  { when: { text: 'long', step: 1 }, then: { text: WORDS, chunks: 5 } },
  {
    when: { text: 'calls', step: 1 },
    then: {
      tool_calls: Array.from({ length: CALLS }, () => ({ name: 'current_time', input: {} })),
    },
  },
  { then: { text: 'done' } },
]
