import { maySet, type SettingsView, type Values } from '../server/index.ts'
import { escaped, isValues } from './change.ts'

/** The layout of a form in which only what the person may set can be changed. */
export function withReadOnly({ schema, uiSchema, settable }: SettingsView): Values {
  return marked(schema, uiSchema, settable, '')
}

function marked(schema: Values, uiSchema: Values, settable: readonly string[], at: string): Values {
  const properties = isValues(schema['properties']) ? schema['properties'] : {}
  const fields = Object.keys(uiSchema).filter((key) => !key.startsWith('ui:'))
  const entries = [...new Set([...Object.keys(properties), ...fields])].map((key) => {
    const pointer = `${at}/${escaped(key)}`
    const layout = isValues(uiSchema[key]) ? uiSchema[key] : {}
    if (maySet(settable, pointer)) return [key, layout] as const
    const isAbove = settable.some((one) => one.startsWith(`${pointer}/`))
    if (!isAbove) return [key, { ...layout, 'ui:readonly': true }] as const
    const inner = isValues(properties[key]) ? properties[key] : {}
    return [key, marked(inner, layout, settable, pointer)] as const
  })
  return { ...uiSchema, ...Object.fromEntries(entries) }
}
