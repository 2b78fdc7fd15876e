const REFERENCE = /\$\{env:([^{}]*)\}/g

/** A text with the values of its references `${env:NAME}`. One to a variable that is not set is empty. */
export function filledText(text: string): string {
  return text.replaceAll(REFERENCE, (_whole, name: string) => process.env[name] ?? '')
}
