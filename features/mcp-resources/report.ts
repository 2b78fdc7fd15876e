import type { Context } from '@braidwork/plugin'
import type { ShownResource } from './block.ts'

/** A resource as it was read: its text, or why there is none. */
type ReadResource = Pick<ShownResource, 'server' | 'uri'> & {
  readonly text?: string
  readonly problem?: string
}

/** The name of a resource for people. */
export function refOf({ server, uri }: Pick<ShownResource, 'server' | 'uri'>): string {
  return `${server}: ${uri}`
}

/** Reports which resources the model is shown, and of the others why not. */
export function reportResources(
  read: readonly ReadResource[],
  shown: readonly ShownResource[],
  { report }: Pick<Context, 'report'>,
): void {
  const reason = 'it does not fit into "settings.mcp-resources.max_characters"'
  for (const { server, uri, text, problem } of read) {
    const resource = { kind: 'resource', ref: refOf({ server, uri }) } as const
    const found = shown.find((one) => one.server === server && one.uri === uri)
    if (text === undefined) report({ ...resource, status: 'missing', reason: problem ?? 'no text' })
    else if (!found) report({ ...resource, status: 'left_out', reason })
    else if (found.text !== text) report({ ...resource, status: 'shortened', reason })
    else report(resource)
  }
}
