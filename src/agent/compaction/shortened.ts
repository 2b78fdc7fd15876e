/** The most characters of a summary that are told. LR-07 */
const LONGEST_PREVIEW = 500

/** The beginning of a summary, for those who read what a run tells. LR-07 */
export function previewOf(summary: string): string {
  return shortened(summary, LONGEST_PREVIEW)
}

/** Cuts a text after so many characters, never within one, and says how many are left out. CT-21 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  // The characters of a surrogate pair stay together.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end)}… [${text.length - end} more characters]`
}
