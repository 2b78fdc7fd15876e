import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { askHook } from './ask-hook.ts'
import { type Candidate, entryOf, NO_TAGS, type Tags } from './rounds.ts'

/** The input for asking plugins for their tags. */
export interface TagQuestion {
  readonly config: Config
  readonly viewOf: (plugin: AnyPlugin) => Config
  readonly models: readonly string[]
}

/** Asks each candidate for its tags, once, before it enters the rounds. CL-04 */
export async function enterRounds(
  candidates: readonly AnyPlugin[],
  question: TagQuestion,
): Promise<readonly Candidate[]> {
  const forced = new Set(question.config.force_enabled_plugins)
  const entries: Candidate[] = []
  for (const plugin of candidates) {
    const view = question.viewOf(plugin)
    const answer = askForTags(plugin, view, question)
    const tags = answer instanceof Promise ? await answer : answer
    entries.push(entryOf(plugin, view, forced.has(plugin.name), tags))
  }
  return entries
}

/** The tags that a plugin provides for a config. */
export function askForTags(
  plugin: AnyPlugin,
  view: Config,
  { config, models }: Pick<TagQuestion, 'config' | 'models'>,
): Tags | Promise<Tags> {
  return askHook(plugin, 'getTags', [view, models], config) ?? NO_TAGS
}
