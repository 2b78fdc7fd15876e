import type { Values } from '../server/index.ts'
import type { Edit } from './documents.ts'

/** The changes as data of the settings document: a list of plugins is a switch of each there. */
export function dataOf(edits: readonly Edit[]): Values {
  const switches = edits.flatMap((edit) =>
    edit.edit === 'set' ? [] : [[edit.plugin, isSwitchedOn(edit)] as const],
  )
  const values = edits.flatMap((edit) => {
    if (edit.edit !== 'set') return []
    const { edit: _, key: __, ...set } = edit
    return Object.entries(set)
  })
  return {
    ...Object.fromEntries(values),
    ...(switches.length > 0 ? { switches: Object.fromEntries(switches) } : {}),
  }
}

function isSwitchedOn(edit: Exclude<Edit, { readonly edit: 'set' }>): boolean {
  return edit.list === 'enabled_plugins' || edit.edit === 'remove'
}

/** JSON pointers into the data of the settings document. */
export function pointersOf(edits: readonly Edit[]): readonly string[] {
  return edits.flatMap((edit) => {
    if (edit.edit !== 'set') return [`/switches/${edit.plugin}`]
    return edit.key === 'model' || edit.model === undefined
      ? [`/${edit.key}`]
      : ['/provider', '/model']
  })
}
