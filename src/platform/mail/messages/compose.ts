import type { Email } from '../index.ts'
import type { Services } from '../../services.ts'
import { chooseLanguage, translator, type TextKey, type Values } from '../../i18n/index.ts'
import type { EmailKind } from './kind.ts'
import { emailHtml } from './email_html.ts'

/** The recipient of an e-mail. */
export interface Recipient {
  readonly email: string
  readonly username: string
  /** The user's locale; null: English. */
  readonly locale: string | null
}

/**
 * Composes an e-mail in the recipient's language, as plain text and as HTML, with the link below
 * its first paragraph. Texts may use `{site}`, `{domain}`, `{username}` and the values.
 * @param link the target of the button
 */
export function composeEmail(
  { settings, config }: Pick<Services, 'settings' | 'config'>,
  kind: EmailKind,
  recipient: Recipient,
  link: string,
  values: Values = {},
): Email {
  const speaker = translator(chooseLanguage(recipient.locale, config.defaultLocale))
  const { username, email } = recipient
  const known = { site: settings.get('site_title'), domain: config.localDomain, username, ...values }
  const say = (part: 'subject' | 'text' | 'action'): string =>
    speaker.t(`email.${kind}.${part}` satisfies TextKey, known)
  const hello = speaker.t('email.hello', { name: username })
  const [what = '', ...more] = say('text').trim().split('\n\n')
  return {
    to: email,
    subject: say('subject'),
    text: `${[hello, what, link, ...more].join('\n\n')}\n`,
    html: emailHtml({
      language: speaker.language,
      site: known.site,
      subject: say('subject'),
      before: [hello, what],
      link,
      action: say('action'),
      after: more,
    }),
    language: speaker.language,
  }
}
