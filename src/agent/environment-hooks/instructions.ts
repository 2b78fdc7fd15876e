import type { FolderInstructions } from '@braidwork/core/internal'

/** A file with instructions for the agents that work in a folder. */
export type InstructionsFile = FolderInstructions

/** Whether a value that an environment returned is such a file. */
export function isInstructionsFile(value: unknown): value is InstructionsFile {
  const { path, text } = Object(value) as { readonly [name: string]: unknown }
  return typeof path === 'string' && typeof text === 'string'
}

const HEAD =
  'These instructions come from files of the working directory. Of two that contradict each other, the later one counts.'
const CUT = '[The rest of this file is left out, because it is too long.]'

/** Instructions as a part of the system message. Undefined if there are none. CT-17 */
export function wrappedInstructions(files: readonly InstructionsFile[]): string | undefined {
  const texts = files.map(({ path, text, isCut }) =>
    [
      `<instructions path=${JSON.stringify(path)}>`,
      text.trim(),
      ...(isCut ? [CUT] : []),
      '</instructions>',
    ].join('\n'),
  )
  return texts.length > 0 ? [HEAD, ...texts].join('\n') : undefined
}
