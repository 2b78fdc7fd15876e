import type { JsonObject } from '@braidwork/plugin'
import type { Categorization } from '../layout.ts'
import type { SettingsDocument } from '../settings-document.ts'

/** The props of a form of JSON Forms. */
export interface JsonFormsView {
  readonly schema: JsonObject
  readonly uischema: Categorization
  readonly data: JsonObject
}

/** The document speaks JSON Forms' own words. */
export function jsonFormsView({ schema, uischema, data }: SettingsDocument): JsonFormsView {
  return { schema, uischema, data }
}
