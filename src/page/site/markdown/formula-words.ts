import { language } from '../words/index.ts'

const WORDS = {
  en: { formula: 'Formula', fault: 'This formula is faulty or too large to be shown.' },
  de: { formula: 'Formel', fault: 'Diese Formel ist fehlerhaft oder zu groß, um sie anzuzeigen.' },
} as const

/** The words about formulas, which the page loads with the first one. */
export const FORMULA_WORDS = WORDS[language]
