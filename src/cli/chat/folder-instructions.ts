import { wrappedInstructions } from '@braidwork/agent/internal'
import { type FolderInstructions, folderInstructions } from '@braidwork/core/internal'
import type { Message } from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { stylesOf } from '../terminal.ts'

/** Reads the instructions of the working directory, and tells which files they come from. */
export function toldInstructions(): readonly FolderInstructions[] {
  const files = folderInstructions(process.cwd())
  if (files.length === 0) return files
  const names = files.map(({ path, text, isCut }) => `${path}${isCut ? cutNote(text) : ''}`)
  const { dim } = stylesOf(process.stderr)
  process.stderr.write(`${dim('instructions')} ${visible(names.join(', '))}\n`)
  return files
}

function cutNote(text: string): string {
  return text === '' ? ' (left out: too long)' : ' (only its beginning)'
}

/** Instructions as a system message, for a run without an agent. */
export function instructionMessages(files: readonly FolderInstructions[]): readonly Message[] {
  const text = wrappedInstructions(files)
  return text === undefined ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }]
}
