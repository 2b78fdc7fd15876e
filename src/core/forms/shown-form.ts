import type { SettingsDocument } from './settings-document.ts'
import type { Flat } from './views/flat.ts'
import type { RjsfView } from './views/rjsf.ts'
import type { ValvesView } from './views/valves.ts'

/** The shown form: the document or a view of it. Its schema says which values are defaults and need not be written. */
export type ShownForm =
  | (Pick<SettingsDocument, 'data'> & Partial<Pick<SettingsDocument, 'schema' | 'sections'>>)
  | (Pick<RjsfView, 'formData'> & Partial<Pick<RjsfView, 'schema'>>)
  | (Flat & Partial<Pick<ValvesView, 'spec'>>)
