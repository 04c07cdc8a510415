import { c, query, type Row } from '../../platform/database/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { job } from '../../platform/jobs/index.ts'
import { chooseLanguage, translatorFor, type TextLanguage } from '../../platform/i18n/index.ts'
import { sendFromJob } from '../../platform/mail/index.ts'
import { composeEmail, nameInMail } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'
import { htmlToText } from '../../core/text/index.ts'
import { unsubscribeLink } from '../unsubscribe/index.ts'
import { PREFERENCES_PATH } from './preferences_path.ts'
import { isMailType } from './type.ts'

const columns = {
  user_id: c.id,
  email: c.text,
  locale: c.nullable(c.text),
  username: c.text,
  type: c.text,
  from_username: c.text,
  from_domain: c.nullable(c.text),
  display_name: c.text,
  status_id: c.nullable(c.id),
  spoiler_text: c.nullable(c.text),
  content: c.nullable(c.text),
} as const

const findFacts = query('notifications/email/facts', { notification: c.id }, columns)

function parsePayload(payload: unknown): Id {
  const given = typeof payload === 'object' && payload !== null ? payload : {}
  const id =
    'notification_id' in given && typeof given.notification_id === 'string' ? parseId(given.notification_id) : undefined
  if (id === undefined) throw new Error('the payload has no notification')
  return id
}

/** Sends the e-mail about a notification. It may be sent twice after a crash. */
export const sendNotificationEmail = job<Id, Services>(
  'notification_mail.send',
  parsePayload,
  async (notification, services) => {
    const facts = await services.database.one(findFacts, { notification })
    if (!facts || !isMailType(facts.type)) return
    const { publicUrl } = services.config
    const from = facts.from_domain === null ? facts.from_username : `${facts.from_username}@${facts.from_domain}`
    const link = `${publicUrl}/@${from}${facts.status_id === null ? '' : `/${facts.status_id}`}`
    const values = {
      name: nameInMail(facts.display_name, facts.from_username),
      account: from,
      said: textOf(facts, chooseLanguage(facts.locale, services.config.defaultLocale)),
      preferences: `${publicUrl}${PREFERENCES_PATH}`,
    }
    const email = composeEmail(services, `notification_${facts.type}`, facts, linkTo(facts, publicUrl, link), values, {
      unsubscribe: unsubscribeLink(services, facts.type, facts.user_id, facts.email),
    })
    await sendFromJob(services, email)
  },
)

/**
 * Favourited and boosted posts are the recipient's; others belong to the account that caused the
 * notification.
 */
function linkTo({ type, username, status_id: status }: Row<typeof columns>, publicUrl: string, link: string): string {
  const isOwn = type === 'favourite' || type === 'reblog'
  return isOwn && status !== null ? `${publicUrl}/@${username}/${status}` : link
}

/** The text of the status, or that it has a content warning, and which. */
function textOf({ spoiler_text: warning, content }: Row<typeof columns>, language: TextLanguage): string {
  if (warning === null || warning === '') return htmlToText(content ?? '')
  return translatorFor(language).t('subscription_post.warning', { warning })
}
