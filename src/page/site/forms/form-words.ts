import { DE_FORMS, EN_FORMS } from '../form-words/index.ts'
import { addWords, language } from '../words/index.ts'

/** Adds the words of forms to those of the page, which is smaller without them. */
export function addFormWords(): void {
  addWords(language === 'de' ? DE_FORMS : EN_FORMS)
}
