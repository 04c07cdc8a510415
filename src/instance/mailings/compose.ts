import { Html } from '../../core/html.ts'
import type { Id } from '../../core/id.ts'
import { htmlToText, renderMarkdown } from '../../core/text/index.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { chooseLanguage } from '../../platform/i18n/index.ts'
import type { Email } from '../../platform/mail/index.ts'
import { composeEmail, type Recipient } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'

/** The subject of an e-mail to all members. */
export interface MailingSubject {
  readonly kind: 'terms' | 'announcement'
  readonly id: Id
}

const findContent = query(
  'instance/mailings/content',
  { terms: c.nullable(c.id), announcement: c.nullable(c.id) },
  { content: c.text, date: c.nullable(c.text), dated: c.boolean },
)

/** The parameters of statements about either kind. */
export const idsOf = ({ kind, id }: MailingSubject): { terms: Id | null; announcement: Id | null } => ({
  terms: kind === 'terms' ? id : null,
  announcement: kind === 'announcement' ? id : null,
})

/** The published text of a subject; `date` is that of terms. */
export type MailingContent = Row<typeof findContent.columns>

/** The content of a mailing; undefined when its subject was deleted or is not published. */
export const readContent = (runner: Runner, subject: MailingSubject): Promise<MailingContent | undefined> =>
  runner.one(findContent, idsOf(subject))

/** The e-mail to a member, in the member's language. */
export function composeMailing(
  services: Services,
  { kind }: MailingSubject,
  { content, date, dated }: MailingContent,
  recipient: Recipient,
): Email {
  const { config } = services
  if (kind === 'announcement')
    return composeEmail(
      services,
      'announcement',
      recipient,
      config.publicUrl,
      {},
      {
        content: { text: htmlToText(content), html: new Html(content) },
      },
    )
  const changes = content.replaceAll('%{domain}', config.localDomain)
  const language = chooseLanguage(recipient.locale, config.defaultLocale)
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  const link = `${config.publicUrl}/terms-of-service${dated ? `/${date}` : ''}`
  const values = { date: day.format(new Date(`${date}T00:00:00Z`)) }
  return composeEmail(services, 'new_terms', recipient, link, values, {
    content: {
      text: changes.trim().replaceAll('](/', `](${config.publicUrl}/`).replaceAll('](#', `](${link}#`),
      // An e-mail has no address to which links could be relative.
      html: new Html(
        renderMarkdown(changes)
          .replaceAll('<a href="/', `<a href="${config.publicUrl}/`)
          .replaceAll('<a href="#', `<a href="${link}#`),
      ),
    },
  })
}
