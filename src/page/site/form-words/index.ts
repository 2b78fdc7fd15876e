/** The words about agents and in forms, which the page loads when one is opened. */
export { DE_FORMS } from './de.ts'
export { EN_FORMS } from './en.ts'
