import { seal, unseal } from '../../auth/sessions/index.ts'
import { type Id, parseId } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import type { MailType } from '../email/index.ts'

export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** The e-mails that a link ends: posts of an account, or one type of notification. */
export type UnsubscribeType = 'posts' | MailType

const purposeOf = (type: UnsubscribeType): string => `unsubscribe:${type}`

/**
 * The link that ends e-mails of a type, signed by this server. It does not expire.
 * @param owner the subscription; for notifications the user
 */
export function unsubscribeLink(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  type: UnsubscribeType,
  owner: Id,
): string {
  const link = new URL(UNSUBSCRIBE_PATH, config.publicUrl)
  link.searchParams.set('token', seal(secrets.cookieSecret, purposeOf(type), owner))
  link.searchParams.set('type', type)
  return link.href
}

/** The owner in the token of a link; undefined if it was not signed for this type. */
export function ownerIn({ secrets }: Pick<Services, 'secrets'>, type: UnsubscribeType, token: string): Id | undefined {
  const owner = unseal(secrets.cookieSecret, purposeOf(type), token)
  return owner === undefined ? undefined : parseId(owner)
}
