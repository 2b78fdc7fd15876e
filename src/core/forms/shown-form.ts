import type { SettingsDocument } from './settings-document.ts'
import type { Flat } from './views/flat.ts'
import type { RjsfView } from './views/rjsf.ts'

/** What was shown: the document, or what a view of it was. Their schemas say what need not be written. */
export type ShownForm =
  | (Pick<SettingsDocument, 'data'> & Partial<Pick<SettingsDocument, 'schema' | 'sections'>>)
  | (Pick<RjsfView, 'formData'> & Partial<Pick<RjsfView, 'schema'>>)
  | Flat
