const CARD = /^(?:4\d{12}|3[0-9]\d{12,13}|[2-6]\d{15,18})$/

/** Whether digits are a payment card number: known length and prefix, and a valid Luhn checksum. */
export function isCardNumber(digits: string): boolean {
  if (!CARD.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The length of an IBAN by country. It is needed because the text after an IBAN may look like a continuation. */
const IBAN_LENGTHS = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28
   EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26
   IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28
   NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25
   SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

export function ibanLength(country: string): number | undefined {
  return IBAN_LENGTHS.get(country.toUpperCase())
}

/** Checks an IBAN (ISO 13616): with the first four characters moved to the end, the number is 1 modulo 97. */
export function isIban(characters: string): boolean {
  const turned = `${characters.slice(4)}${characters.slice(0, 4)}`
  let remainder = 0
  for (const character of turned) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}
