import { callerWith } from './caller.ts'
import { type Session, takenFromAddress } from './session.ts'

/** A token, and the id of the person who has it. */
export interface Offered {
  readonly token: string
  readonly id: string
}

/** Asks a person who is signed in whether another one may take their place. */
export type AskOther = (person: string, other: string) => boolean

/**
 * The token in the address, unless somebody else is signed in and stays: a link may bring the token of anybody. Of
 * several tokens the last one counts, whichever the server answers first.
 * @throws {ServerError} where the server does not know the token, which the form to sign in then says
 */
export async function offeredAt(
  base: URL,
  session: Session,
  askOther: AskOther,
): Promise<Offered | undefined> {
  const token = takenFromAddress()
  if (token === undefined) return undefined
  const isLast = session.offer()
  const { id } = await callerWith(base, token, () => (session.isAsked.value ||= isLast()))
  if (!isLast()) return undefined
  const { person = '' } = session
  const isOther = session.token !== undefined && person !== id
  return isOther && !askOther(person, id) ? undefined : { token, id }
}
