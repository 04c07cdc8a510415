import { seal, sign, unseal } from '../../auth/sessions/index.ts'
import { sameSecret } from '../../core/secret.ts'
import { type Id, parseId } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import type { MailType } from '../email/index.ts'

export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** The e-mails that a link ends: posts of an account, or one type of notification. */
export type UnsubscribeType = 'posts' | MailType

const purposeOf = (type: UnsubscribeType): string => `unsubscribe:${type}`

/** What the link of an e-mail to an address contains of it: enough to recognize it. */
const markOf = ({ secrets }: Pick<Services, 'secrets'>, email: string): string =>
  sign(secrets.cookieSecret, 'unsubscribe_address', email)

/**
 * The link that ends e-mails of a type, signed by this server. It does not expire.
 * @param owner the subscription; for notifications the user
 * @param email the address of a user: others may read old e-mails after it has changed
 */
export function unsubscribeLink(
  services: Pick<Services, 'config' | 'secrets'>,
  type: UnsubscribeType,
  owner: Id,
  email?: string,
): string {
  const { config, secrets } = services
  const text = email === undefined ? owner : `${owner}:${markOf(services, email)}`
  const link = new URL(UNSUBSCRIBE_PATH, config.publicUrl)
  link.searchParams.set('token', seal(secrets.cookieSecret, purposeOf(type), text))
  link.searchParams.set('type', type)
  return link.href
}

/** What the token of a link contains. */
export interface LinkOwner {
  readonly owner: Id
  /** Whether the e-mail with the link went to an address; true for a link that names none. */
  wentTo(email: string): boolean
}

/** The owner in the token of a link; undefined if it was not signed for this type. */
export function ownerIn(
  services: Pick<Services, 'secrets'>,
  type: UnsubscribeType,
  token: string,
): LinkOwner | undefined {
  const [id = '', mark] = unseal(services.secrets.cookieSecret, purposeOf(type), token)?.split(':') ?? []
  const owner = parseId(id)
  if (owner === undefined) return undefined
  return { owner, wentTo: email => mark === undefined || sameSecret(mark, markOf(services, email)) }
}
