import { constants } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const TITLE = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,79}$/u
const ENDING = '.md'
const MOST_MATCHES = 20
/** A link in the folder is not followed, because it may lead out of the folder. */
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants

const title = { type: 'string', description: 'Letters, digits, spaces, "-" and "_"', minLength: 1 }

const TOOLS = [
  {
    name: 'write_note',
    description: 'Writes a note. A note of the same title is replaced, or continued with "append".',
    input_schema: {
      type: 'object',
      properties: {
        title,
        text: { type: 'string', description: 'The text of the note', maxLength: 65_536 },
        append: { type: 'boolean', description: 'Add the text to the end of the note' },
      },
      required: ['title', 'text'],
      additionalProperties: false,
    },
    safety: { capabilities: ['write', 'filesystem'] },
  },
  {
    name: 'read_note',
    description: 'Reads a note.',
    input_schema: {
      type: 'object',
      properties: { title },
      required: ['title'],
      additionalProperties: false,
    },
    safety: { is_read_only: true, is_concurrency_safe: true, capabilities: ['read', 'filesystem'] },
  },
  {
    name: 'search_notes',
    description: 'Finds the lines of all notes that contain a text, in any case.',
    input_schema: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 1, maxLength: 200 } },
      required: ['query'],
      additionalProperties: false,
    },
    safety: { is_read_only: true, is_concurrency_safe: true, capabilities: ['read', 'filesystem'] },
  },
]

const CALLS = { write_note: writeNote, read_note: readNote, search_notes: searchNotes }

/** @satisfies {import('braidwork/plugin').Tool<{ folder: string }>} */
export default {
  kind: 'tool',
  name: 'notes',
  requiredTags: ['tools'],
  configSchema: {
    type: 'object',
    properties: {
      folder: {
        type: 'string',
        minLength: 1,
        title: 'Folder',
        description: 'The folder of the notes, relative to the working directory',
      },
    },
    required: ['folder'],
    additionalProperties: false,
  },
  init: ({ settings }) => ({ folder: resolve(settings.notes.folder) }),
  getToolSchemas: () => TOOLS,
  executeTool: ({ name, input }, { folder }, { signal }) => CALLS[name](folder, input, signal),
}

async function writeNote(folder, { title, text, append = false }, signal) {
  const path = pathOf(folder, title)
  await mkdir(folder, { recursive: true })
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (append ? O_APPEND : O_TRUNC)
  await withFile(path, flags, title, (file) => file.writeFile(`${text}\n`, { signal }))
  return {
    output: { title, written: true },
    artifacts: [{ uri: pathToFileURL(path).href, title, mediaType: 'text/markdown' }],
  }
}

async function readNote(folder, { title }, signal) {
  return { title, text: await textOf(folder, title, signal) }
}

async function searchNotes(folder, { query }, signal) {
  const wanted = query.toLowerCase()
  const matches = []
  for (const title of await titlesIn(folder)) {
    const lines = (await textOf(folder, title, signal)).split('\n')
    for (const [at, text] of lines.entries()) {
      if (text.toLowerCase().includes(wanted)) matches.push({ title, line: at + 1, text })
      if (matches.length === MOST_MATCHES) return { matches, more: true }
    }
  }
  return { matches }
}

async function titlesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
  const titles = files.map(({ name }) => name.slice(0, -ENDING.length))
  return titles.filter((title) => TITLE.test(title)).sort()
}

function textOf(folder, title, signal) {
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
  return withFile(pathOf(folder, title), flags, title, (file) =>
    file.readFile({ encoding: 'utf8', signal }),
  )
}

function pathOf(folder, title) {
  if (TITLE.test(title)) return join(folder, `${title}${ENDING}`)
  const allowed =
    'letters, digits, spaces, "-" and "_", at most 80, and begins with a letter or digit'
  const message = `${JSON.stringify(title)} is not a title: a title has only ${allowed}.`
  // A host reads the code: the arguments are wrong, not the tool.
  throw Object.assign(new Error(message), { code: 'OPTION_INVALID' })
}

async function withFile(path, flags, title, work) {
  const file = await open(path, flags, 0o600).catch((error) => {
    throw new Error(`The note "${title}" ${reasonOf(error)}`, { cause: error })
  })
  try {
    if (!(await file.stat()).isFile()) throw new Error(`The note "${title}" is not a regular file.`)
    return await work(file)
  } finally {
    await file.close()
  }
}

function reasonOf({ code }) {
  if (code === 'ENOENT') return 'does not exist. "search_notes" finds notes.'
  if (code === 'ELOOP') return 'is a link, and links are not followed.'
  return `cannot be opened (${code}).`
}
