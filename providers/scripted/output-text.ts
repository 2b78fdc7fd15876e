/** A tool's output as text: its text parts if it consists of parts, else JSON. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output) && output.length > 0 && output.every(isTextPart)) {
    return output.map((part) => part.text).join('')
  }
  return JSON.stringify(output) ?? ''
}

function isTextPart(part: unknown): part is { readonly text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'text' &&
    'text' in part &&
    typeof part.text === 'string'
  )
}
