export { withNumberChoices } from './choices.ts'
export { editConfig, editLayer, isUnchanged } from './edit-config.ts'
export { editorSchema } from './editor-schema.ts'
export { type Action, type Elements, readElements } from './elements.ts'
export { type FieldKind, kindOf } from './kinds.ts'
export type {
  Categorization,
  Category,
  Control,
  Element,
  Group,
  Label,
  LayoutRule,
} from './layout.ts'
export { sentence } from './layout.ts'
export { checkLocale } from './locale.ts'
export { pathOf } from './scope.ts'
export type { Section } from './sections.ts'
export { type SettingsDocument, settingsDocument } from './settings-document.ts'
export type { DynamicChoices, SettingsInput } from './settings-input.ts'
export type { Description, Descriptions } from './titles.ts'
export { keysGone } from './union.ts'
export { withMember } from './views/flat.ts'
export {
  checkView,
  type SettingsFormat,
  type SettingsViews,
  settingsView,
  type ViewOptions,
} from './views/index.ts'
export { withoutDefaults } from './without-defaults.ts'
