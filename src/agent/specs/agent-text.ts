import { isDeepStrictEqual } from 'node:util'
import { isObject } from '@braidwork/plugin'
import { loadYaml } from './agent-files.ts'
import type { AgentSpec } from './agent-spec.ts'
import { frontMatterIn } from './front-matter.ts'

/**
 * Writes the spec of an agent as the text of its file `<id>.md`.
 * @param before the text of the file so far. Its comments stay, and where only the prompt changes, all of its front
 * matter does
 */
export async function agentText(spec: AgentSpec, before = ''): Promise<string> {
  const { system_prompt: prompt = '' } = spec
  const { matter = '' } = frontMatterIn(before) ?? {}
  const written = await editedMatter(matter, spec)
  return `---\n${written}---\n${prompt === '' ? '' : `${prompt}\n`}`
}

async function editedMatter(
  matter: string,
  { id: _, system_prompt: __, ...fields }: AgentSpec,
): Promise<string> {
  const { parseDocument } = await loadYaml()
  const document = parseDocument(matter, { schema: 'core', logLevel: 'error' })
  const given: unknown = document.toJS()
  // The name of the file is the id, and a spec may repeat it.
  const { id, ...known } = isObject(given) ? given : {}
  if (isDeepStrictEqual(known, fields)) return matter === '' ? '' : `${matter}\n`
  for (const key of Object.keys(known)) if (!Object.hasOwn(fields, key)) document.delete(key)
  for (const [key, value] of Object.entries(fields)) {
    if (!isDeepStrictEqual(known[key], value)) document.set(key, value)
  }
  const isEmpty = id === undefined && Object.keys(fields).length === 0
  return isEmpty ? '' : document.toString({ flowCollectionPadding: false, lineWidth: 0 })
}
