import type { Tool, ToolCall, ToolResult } from '@braidwork/plugin'
import { type ListInput, listFiles } from './list-files.ts'
import { Problem } from './problem.ts'
import { type ReadInput, readFile } from './read-file.ts'
import { READING, WRITING } from './schemas.ts'
import { type SearchInput, searchFiles } from './search-files.ts'
import {
  CONFIG_SCHEMA,
  type FilesScope,
  type FilesState,
  NO_ROOT,
  readSettings,
} from './settings.ts'
import { type EditInput, editFile, type WriteInput, writeFile } from './write-file.ts'

/** Runs a call. The host has already validated the arguments. */
function run({ name, input }: ToolCall, state: FilesScope, signal: AbortSignal): Promise<object> {
  switch (name) {
    case 'list_files':
      return listFiles(input as ListInput, state, signal)
    case 'read_file':
      return readFile(input as ReadInput, state, signal)
    case 'search_files':
      return searchFiles(input as SearchInput, state, signal)
    default:
      return write({ name, input } as ToolCall, state, signal)
  }
}

async function write({ name, input }: ToolCall, state: FilesScope, signal: AbortSignal) {
  if (!state.write) throw new Problem('Files are read-only; "settings.files.write" allows writing.')
  return name === 'write_file'
    ? writeFile(input as WriteInput, state, signal)
    : editFile(input as EditInput, state, signal)
}

async function execute(
  call: ToolCall,
  state: FilesScope,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return { output: await run(call, state, signal) }
  } catch (error) {
    if (error instanceof Problem) return { output: error.message, isError: true }
    throw error
  }
}

export default {
  kind: 'tool',
  name: 'files',
  // Off by default, since it accesses files.
  defaultEnabled: false,
  requiredTags: ['tools'],
  configSchema: CONFIG_SCHEMA,
  init: (config) => readSettings(config),
  getToolSchemas: ({ root, write: isWritten }) => {
    if (root === NO_ROOT) return []
    return isWritten ? [...READING, ...WRITING] : READING
  },
  executeTool: (call, state, { signal, protectedFiles }) =>
    execute(call, { ...state, deciding: protectedFiles?.() ?? [] }, signal),
} satisfies Tool<FilesState>
