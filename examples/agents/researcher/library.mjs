import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const MOST_RESULTS = 3

/** @satisfies {import('braidwork/plugin').Tool<{ folder: string }>} */
export default {
  kind: 'tool',
  name: 'library',
  requiredTags: ['tools'],
  configSchema: {
    type: 'object',
    properties: {
      folder: {
        type: 'string',
        minLength: 1,
        title: 'Folder',
        description: 'The folder of the documents (.md), relative to the working directory',
      },
    },
    required: ['folder'],
    additionalProperties: false,
  },
  init: ({ settings }) => ({ folder: resolve(settings.library.folder) }),
  getToolSchemas: () => [
    {
      name: 'search',
      description:
        'Searches the documents for words, and returns the paragraphs that have most of them.',
      input_schema: {
        type: 'object',
        properties: { words: { type: 'string', minLength: 1, maxLength: 200 } },
        required: ['words'],
        additionalProperties: false,
      },
      safety: { is_read_only: true, is_concurrency_safe: true, capabilities: ['read'] },
    },
  ],
  executeTool: async ({ input }, { folder }, { signal }) => {
    const wanted = wordsOf(input.words)
    const found = (await paragraphsIn(folder, signal))
      .map((paragraph) => ({ ...paragraph, score: scoreOf(paragraph.text, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_RESULTS)
      .map(({ document, text }) => ({ document, text }))
    const evidence = [...new Set(found.map(({ document }) => document))]
    return { output: { found }, evidence }
  },
}

async function paragraphsIn(folder, signal) {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  const names = files.map(({ name }) => name).sort()
  const documents = names.map(async (document) => {
    const text = await readFile(join(folder, document), { encoding: 'utf8', signal })
    const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
    return paragraphs.filter((paragraph) => paragraph !== '').map((text) => ({ document, text }))
  })
  return (await Promise.all(documents)).flat()
}

function scoreOf(text, wanted) {
  const words = new Set(wordsOf(text))
  return wanted.filter((word) => words.has(word)).length
}

function wordsOf(text) {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
}
