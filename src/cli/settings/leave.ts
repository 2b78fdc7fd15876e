import type { Prompts } from './prompts.ts'

/**
 * Asks a person who pressed Escape in the first menu of a form, where there is nothing to go back to. Without changes
 * it asks nothing.
 * @returns whether the person leaves the form
 */
export async function leaves(prompts: Prompts, isChanged: boolean): Promise<boolean> {
  if (!isChanged) return true
  const answer = await prompts.choose({
    message: 'Discard the changes?',
    options: [
      { value: false, label: 'Continue editing' },
      { value: true, label: 'Discard' },
    ],
  })
  return answer === true
}
