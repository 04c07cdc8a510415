import type { Html } from '../../../core/html.ts'
import type { Email } from '../index.ts'
import type { Services } from '../../services.ts'
import { chooseLanguage, translatorFor, type TextKey, type Translator, type Values } from '../../i18n/index.ts'
import type { EmailKind } from './kind.ts'
import { emailHtml, type EmailText } from './email_html.ts'

/** The recipient of an e-mail. */
export interface Recipient {
  readonly email: string
  /** Null: not a user of this server. */
  readonly username: string | null
  /** The user's locale; null: English. */
  readonly locale: string | null
}

/** Optional parts of an e-mail. */
interface EmailExtras {
  /** Text written by a user, such as a post; shown above the button. */
  readonly content?: { readonly text: string; readonly html: Html }
  /** The address that ends such e-mails, by a page or by one click (RFC 8058). */
  readonly unsubscribe?: string
  readonly headers?: Readonly<Record<string, string>>
}

const BLANK_LINE = '\n\n'
/** Stands for the blank lines of a value, which stays one paragraph. */
const WITHIN = '\u2029'

/** The paragraphs of an e-mail's text. */
function paragraphsOf({ t }: Translator, kind: EmailKind, values: Values): string[] {
  const whole = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim().replaceAll(BLANK_LINE, WITHIN) : value,
  ])
  return t(`email.${kind}.text` satisfies TextKey, Object.fromEntries(whole))
    .trim()
    .split(BLANK_LINE)
    .map(paragraph => paragraph.replaceAll(WITHIN, BLANK_LINE))
}

/**
 * Texts that consist of a value have the direction of what somebody wrote; sentences of the server
 * keep theirs, whatever name they begin with.
 */
function textsOf(texts: readonly string[], values: Values): EmailText[] {
  const quoted = new Set(Object.values(values).map(value => String(value).trim()))
  return texts.map(text => ({ text: text.replaceAll('\r', ''), isQuoted: quoted.has(text) }))
}

const unsubscribeHeaders = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/**
 * Composes an e-mail in the recipient's language, as plain text and as HTML, with the link below
 * its first paragraph and what that announces. Texts may use `{site}`, `{domain}`, `{username}` and
 * the values.
 * @param link the target of the button
 */
export function composeEmail(
  { settings, config }: Pick<Services, 'settings' | 'config'>,
  kind: EmailKind,
  recipient: Recipient,
  link: string,
  values: Values = {},
  { content, unsubscribe, headers }: EmailExtras = {},
): Email {
  const translator = translatorFor(chooseLanguage(recipient.locale, config.defaultLocale))
  const { username, email } = recipient
  const known = { site: settings.get('site_title'), domain: config.localDomain, username: username ?? '', ...values }
  const t = (part: 'subject' | 'action'): string => translator.t(`email.${kind}.${part}` satisfies TextKey, known)
  const hello = username === null ? [] : [translator.t('email.hello', { name: username })]
  const paragraphs = paragraphsOf(translator, kind, known)
  // A paragraph that ends with a colon announces the next one, unless the content follows.
  const announced = content === undefined && paragraphs[0]?.endsWith(':') ? 2 : 1
  const [above, more] = [paragraphs.slice(0, announced), paragraphs.slice(announced)]
  const ending = unsubscribe === undefined ? undefined : { link: unsubscribe, label: translator.t('email.unsubscribe') }
  const written = content === undefined ? [] : [content.text]
  const last = ending === undefined ? [] : [`${ending.label}: ${ending.link}`]
  return {
    to: email,
    subject: t('subject'),
    text: `${[...hello, ...above, ...written, link, ...more, ...last].join('\n\n')}\n`,
    html: emailHtml({
      language: translator.language,
      site: known.site,
      subject: t('subject'),
      before: textsOf([...hello, ...above], known),
      content: content?.html,
      link,
      action: t('action'),
      after: textsOf(more, known),
      ending,
    }),
    language: translator.language,
    headers: { ...(unsubscribe !== undefined && unsubscribeHeaders(unsubscribe)), ...headers },
  }
}
