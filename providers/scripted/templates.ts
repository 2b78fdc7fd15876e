import { outputText } from './output-text.ts'
import type { Turn } from './turn.ts'

const TEMPLATE = /\{\{\s*(user|result\.[\w-]+(?:\.[\w-]+)*)\s*\}\}/g

/** Replaces `{{user}}`, `{{result.TOOL}}` and `{{result.TOOL.key}}`. Other braces stay unchanged. */
export function fillTemplates(text: string, turn: Turn): string {
  return text.replace(TEMPLATE, (_, path: string) => lookUp(path, turn))
}

/** Fills the templates in every string of a JSON value; keys stay unchanged. */
export function fillTemplatesIn(value: unknown, turn: Turn): unknown {
  if (typeof value === 'string') return fillTemplates(value, turn)
  if (Array.isArray(value)) return value.map((inner) => fillTemplatesIn(inner, turn))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fillTemplatesIn(inner, turn)]),
  )
}

function lookUp(path: string, turn: Turn): string {
  if (path === 'user') return turn.user
  const [, tool = '', ...keys] = path.split('.')
  const result = turn.results.findLast(({ name }) => name === tool)
  if (!result) return `(no result of ${tool})`
  let value = result.output
  for (const key of keys) value = memberOf(value, key)
  return outputText(value)
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
  return (value as { readonly [key: string]: unknown })[key]
}
