import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job } from '../platform/jobs/index.ts'
import { sendFromJob } from '../platform/mail/index.ts'
import { composeEmail } from '../platform/mail/messages/index.ts'
import type { Services } from '../platform/services.ts'
import { readStrikeSubject } from './strike_subject.ts'
import { chooseLanguage, translatorFor } from '../platform/i18n/index.ts'

const findWarningFacts = query(
  'moderation/warning_facts',
  { warning: c.id },
  {
    email: c.text,
    username: c.text,
    locale: c.nullable(c.text),
    action: c.text,
    text: c.text,
    status_ids: c.ids,
  },
)

/**
 * Sends the e-mail about a strike: the action, the moderators' message, the reason, and the
 * statuses concerned with their text, because the links to deleted ones lead nowhere.
 */
export const sendWarningEmail = job<{ warning: Id }, Services>(
  'moderation.mail',
  payload => ({ warning: idIn(payload, 'warning') }),
  async ({ warning }, services) => {
    const { database, config } = services
    const row = await database.one(findWarningFacts, { warning })
    if (!row) return
    const { email, username, locale } = row
    const translator = translatorFor(chooseLanguage(locale, config.defaultLocale))
    const key = `warning.${row.action}`
    const { reason, rules, posts } = await readStrikeSubject(database, warning, translator)
    const why = reason === undefined ? [] : [translator.t('strikes.reason', { reason })]
    const about = row.status_ids.map(id =>
      [`${config.publicUrl}/@${username}/${id}`, posts.get(id) ?? ''].join('\n').trim(),
    )
    const values = {
      what: translator.has(key) ? translator.t(key) : row.action,
      said: [row.text.replaceAll('\r\n', '\n'), [...why, ...rules.map(rule => `– ${rule}`)].join('\n'), ...about]
        .filter(text => text !== '')
        .join('\n\n'),
    }
    const recipient = { email, username, locale }
    const link = `${config.publicUrl}/disputes/strikes/${warning}`
    await sendFromJob(services, composeEmail(services, 'moderation_warning', recipient, link, values))
  },
)
