import type { ToolSchema } from '@braidwork/plugin'

const PATH = { type: 'string', minLength: 1, maxLength: 1_000 } as const
const TOUCHES = { capabilities: ['filesystem'] } as const
const READ = {
  ...TOUCHES,
  is_read_only: true,
  is_concurrency_safe: true,
  is_destructive: false,
} as const
const WRITE = {
  ...TOUCHES,
  is_read_only: false,
  is_concurrency_safe: false,
  is_destructive: true,
} as const

function inputOf(properties: object, ...required: readonly string[]): ToolSchema['input_schema'] {
  return { type: 'object', properties, required, additionalProperties: false }
}

export const READING: readonly ToolSchema[] = [
  {
    name: 'list_files',
    description: 'Lists the files and folders in a folder.',
    input_schema: inputOf({
      path: {
        ...PATH,
        minLength: 0,
        description: 'Path of the folder from the root, such as "notes"; by default the root',
      },
      recursive: { type: 'boolean', description: 'Include all subfolders' },
    }),
    safety: READ,
  },
  {
    name: 'read_file',
    description: 'Shows a text file, or some of its lines.',
    input_schema: inputOf(
      {
        path: { ...PATH, description: 'Path from the root, such as "notes/today.md"' },
        from_line: { type: 'integer', minimum: 1, description: 'First line, counted from 1' },
        to_line: { type: 'integer', minimum: 1, description: 'Last line' },
      },
      'path',
    ),
    safety: READ,
  },
  {
    name: 'search_files',
    description: 'Finds the lines of text files that contain a text.',
    input_schema: inputOf(
      {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'The exact text to find within a line',
        },
        path: { ...PATH, minLength: 0, description: 'Folder to search in; by default all' },
        case_sensitive: {
          type: 'boolean',
          description: 'Whether capitals and small letters differ. The default is false.',
        },
      },
      'query',
    ),
    safety: READ,
  },
]

export const WRITING: readonly ToolSchema[] = [
  {
    name: 'write_file',
    description: 'Writes a text file and creates missing folders; an existing file is replaced.',
    input_schema: inputOf({ path: PATH, content: { type: 'string' } }, 'path', 'content'),
    safety: WRITE,
  },
  {
    name: 'edit_file',
    description:
      'Replaces a text in a file. The file must contain the text exactly once, unless "replace_all" is set.',
    input_schema: inputOf(
      {
        path: PATH,
        old_text: {
          type: 'string',
          minLength: 1,
          description: 'The exact text, including white space',
        },
        new_text: { type: 'string' },
        replace_all: { type: 'boolean' },
      },
      'path',
      'old_text',
      'new_text',
    ),
    safety: WRITE,
  },
]
