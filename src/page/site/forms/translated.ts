import { englishStringTranslator, TranslatableString } from '@rjsf/utils'
import { t, type Words } from '../words/index.ts'

const WORDS: { readonly [text in TranslatableString]?: keyof Words } = {
  [TranslatableString.AddButton]: 'formAdd',
  [TranslatableString.RemoveButton]: 'formRemove',
  [TranslatableString.MoveUpButton]: 'formUp',
  [TranslatableString.MoveDownButton]: 'formDown',
  [TranslatableString.YesLabel]: 'formYes',
  [TranslatableString.NoLabel]: 'formNo',
}

/** A text of react-jsonschema-form in the language of the page. Those that the page's forms do not show stay English. */
export function translated(text: TranslatableString, filled?: string[]): string {
  const name = WORDS[text]
  return name === undefined ? englishStringTranslator(text, filled) : t(name)
}
