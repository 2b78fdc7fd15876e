/** @satisfies {import('braidwork/plugin').Tool<{ most: number }>} */
export default {
  kind: 'tool',
  name: 'measure',
  requiredTags: ['tools'],
  configSchema: {
    type: 'object',
    properties: {
      most_words: {
        type: 'integer',
        minimum: 1,
        title: 'Words',
        description: 'The most words that a sentence may have',
      },
    },
    required: ['most_words'],
    additionalProperties: false,
  },
  init: ({ settings }) => ({ most: settings.measure.most_words }),
  getToolSchemas: () => [
    {
      name: 'measure',
      description: 'Finds the longest sentence of a text, and says whether it is short enough.',
      input_schema: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: 10_000 } },
        required: ['text'],
        additionalProperties: false,
      },
      safety: { is_read_only: true, is_concurrency_safe: true },
    },
  ],
  executeTool: ({ input }, { most }) => {
    const longest = Math.max(...sentencesOf(input.text).map((sentence) => wordsOf(sentence).length))
    const told = `Its longest sentence has ${longest} words; ${most} are allowed.`
    return { longest, verdict: longest <= most ? `Approved. ${told}` : `Rejected. ${told}` }
  },
}

function sentencesOf(text) {
  return text.split(/[.!?]/)
}

function wordsOf(sentence) {
  return sentence.match(/[\p{L}\p{N}]+/gu) ?? []
}
