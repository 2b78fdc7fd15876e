/** Cuts a text after so many characters, never within one, and says how many are left out. CT-21 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  // The characters of a surrogate pair stay together.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end)}… [${text.length - end} more characters]`
}
