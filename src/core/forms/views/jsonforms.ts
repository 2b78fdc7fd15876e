import type { JsonObject } from '@braidwork/plugin'
import type { Categorization } from '../layout.ts'
import type { SettingsDocument } from '../settings-document.ts'

/** The props of a JSON Forms form. */
export interface JsonFormsView {
  readonly schema: JsonObject
  readonly uischema: Categorization
  readonly data: JsonObject
}

/** The document is already in JSON Forms' format. */
export function jsonFormsView({ schema, uischema, data }: SettingsDocument): JsonFormsView {
  return { schema, uischema, data }
}
