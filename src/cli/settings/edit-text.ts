import { isObject } from '@braidwork/plugin'
import { type Change, changesBetween, listSteps, type Path } from './changes.ts'
import { ConfigText } from './config-text.ts'

/**
 * Applies the difference between two values to the text of a config file (JSON with comments). Text outside the
 * difference stays the same byte for byte, with its comments and whitespace.
 */
export function editText(text: string, before: unknown, after: unknown): string {
  return changesBetween(before, after).reduce(withChange, text)
}

function withChange(text: string, { path, before, after }: Change): string {
  if (Array.isArray(before) && Array.isArray(after)) return withList(text, path, before, after)
  const config = new ConfigText(text)
  return after === undefined ? config.without(path) : config.with(path, after)
}

function withList(
  text: string,
  path: Path,
  before: readonly unknown[],
  after: readonly unknown[],
): string {
  return listSteps(before, after).reduce((whole, one) => {
    if (one.step === 'append') return new ConfigText(whole).withItem(path, one.value)
    const at = [...path, one.index]
    if (one.step === 'remove') return new ConfigText(whole).without(at)
    const inner =
      isObject(one.before) && isObject(one.after)
        ? changesBetween(one.before, one.after, at)
        : [{ path: at, before: one.before, after: one.after }]
    return inner.reduce(withChange, whole)
  }, text)
}
