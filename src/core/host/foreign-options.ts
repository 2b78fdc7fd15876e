/** An option that other libraries have, by the names that they give it. */
interface Foreign {
  readonly names: readonly string[]
  /** What does the same here. */
  readonly hint: string
  /** The option that the hint names. Where there is none of that name, the hint says nothing. */
  readonly option: string
}

const FOREIGN: readonly Foreign[] = [
  {
    names: ['abortSignal', 'abortController', 'cancellationToken'],
    option: 'signal',
    hint: '"signal" takes an AbortSignal.',
  },
  {
    names: [
      'maxRounds',
      'maxTurns',
      'maxIterations',
      'maxToolRoundtrips',
      'recursionLimit',
      'stopWhen',
    ],
    option: 'maxSteps',
    hint: '"maxSteps" limits the steps, and stop conditions end a run before.',
  },
  {
    names: ['system', 'instructions', 'systemPrompt'],
    option: 'messages',
    hint: 'A message of the role "system" stands first in "messages".',
  },
  {
    names: ['prompt', 'input'],
    option: 'messages',
    hint: '"messages" takes a text too.',
  },
  {
    names: ['onStepFinish', 'onStepEnd', 'onFinish', 'onChunk', 'onError', 'onAbort'],
    option: 'messages',
    hint: 'Read the events of the stream, and its result.',
  },
  {
    names: ['temperature', 'maxTokens', 'maxOutputTokens', 'topP', 'provider', 'settings'],
    option: 'config',
    hint: 'It belongs into "config".',
  },
]

/** What does here what an option of another library does there, as a sentence. Undefined for all other names. */
export function hintFor(name: string, known: readonly string[]): string | undefined {
  const found = FOREIGN.find(({ names }) => names.includes(name))
  return found && known.includes(found.option) ? found.hint : undefined
}
