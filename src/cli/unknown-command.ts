import { nearest } from '@braidwork/core/internal'
import type { Command } from 'commander'
import { visible } from './characters.ts'

/** What other programs call commands that some groups have. */
const SYNONYMS: { readonly [word: string]: string } = {
  delete: 'remove',
  install: 'add',
  ls: 'list',
  rm: 'remove',
  uninstall: 'remove',
  upgrade: 'update',
}

/**
 * Refuses a word that is no command of its group. Commander takes it for an argument where the group does something by
 * itself, or an option behind it for one of the group.
 * @throws {CommanderError}
 */
export function refuseUnknownCommand(program: Command, words: readonly string[]): void {
  const [name, word] = words
  const group = program.commands.find((one) => one.name() === name)
  const names = group?.commands.map((one) => one.name()) ?? []
  if (!group || names.length === 0 || group.registeredArguments.length > 0) return
  if (word === undefined || word.startsWith('-') || [...names, 'help'].includes(word)) return
  const synonym = SYNONYMS[word] ?? ''
  const meant = names.includes(synonym) ? synonym : nearest(word, names)
  const advice =
    meant === undefined ? `Commands of ${name}: ${names.join(', ')}` : `(Did you mean ${meant}?)`
  group.error(`error: unknown command '${visible(word)}'\n${advice}`)
}
