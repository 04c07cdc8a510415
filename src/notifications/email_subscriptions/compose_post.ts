import { html, Html } from '../../core/html.ts'
import type { Id } from '../../core/id.ts'
import { cutCodePoints, htmlToText } from '../../core/text/index.ts'
import type { Json } from '../../platform/http/index.ts'
import { chooseLanguage, translatorFor, type Translator } from '../../platform/i18n/index.ts'
import type { Email } from '../../platform/mail/index.ts'
import { composeEmail, nameInMail, withoutBidiControls } from '../../platform/mail/messages/index.ts'
import { phrase } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import { unsubscribeLink } from '../unsubscribe/index.ts'

/** The parts of the entity Status that an e-mail shows. */
interface Post {
  readonly url: string
  readonly spoiler_text: string
  readonly content: string
  readonly language: string | null
  readonly account: { readonly username: string; readonly display_name: string }
  readonly media_attachments: readonly {
    readonly type: 'image' | 'video' | 'gifv' | 'audio' | 'unknown'
    readonly url: string | null
    readonly description: string | null
  }[]
  readonly poll: { readonly options: readonly { readonly title: string }[] } | null
  readonly quote: { readonly quoted_status?: Quoted | null } | null
}

interface Quoted {
  readonly url: string
  readonly spoiler_text: string
  readonly content: string
  readonly account: { readonly acct: string; readonly display_name: string }
}

/** Whom an e-mail about a post is sent to. */
export interface Addressee {
  readonly subscription: Id
  readonly email: string
  readonly locale: string | null
}

const EXCERPT_CHARACTERS = 80

/** Composes the e-mail of a post that this server rendered for everybody. */
export function composePost(services: Services, rendered: Json, { subscription, email, locale }: Addressee): Email {
  const post = JSON.parse(rendered.text) as Post
  const { config } = services
  const translator = translatorFor(chooseLanguage(locale, config.defaultLocale))
  const { username, display_name: displayName } = post.account
  const account = `${username}@${config.localDomain}`
  const name = nameInMail(displayName, username)
  const values = { name, account, excerpt: excerptOf(post, translator) }
  const unsubscribe = unsubscribeLink(services, 'posts', subscription)
  return composeEmail(services, 'subscription_post', { email, username: null, locale }, post.url, values, {
    content: { text: textOf(post, translator), html: htmlOf(post, translator) },
    unsubscribe,
    headers: { 'List-Id': `<${username}.${config.localDomain.replace(/:\d+$/, '')}>` },
  })
}

/** The warning, else the beginning of the text, in one line. */
function excerptOf({ spoiler_text: warning, content }: Post, { t }: Translator): string {
  const line = withoutBidiControls(warning || htmlToText(content))
    .replace(/\s+/g, ' ')
    .trim()
  const cut = cutCodePoints(line, EXCERPT_CHARACTERS)
  return line === '' ? t('subscription_post.no_text') : cut === line ? line : `${cut.trimEnd()}…`
}

const nameOf = ({ display_name: name, acct }: Quoted['account']): string => nameInMail(name, acct)

function textOf(post: Post, { t }: Translator): string {
  const { spoiler_text: warning, content, poll, media_attachments: media } = post
  const quoted = post.quote?.quoted_status
  const parts = [
    warning !== '' && t('subscription_post.warning', { warning }),
    htmlToText(content),
    poll && [t('subscription_post.poll'), ...poll.options.map(({ title }) => `- ${title}`)].join('\n'),
    ...media.map(({ type, url, description }) => {
      const label = [t(`subscription_post.media.${type}`), description].filter(Boolean).join(': ')
      return url === null ? label : `${label}\n${url}`
    }),
    quoted &&
      [
        t('subscription_post.quote', { name: nameOf(quoted.account) }),
        quoted.spoiler_text || htmlToText(quoted.content),
        quoted.url,
      ].join('\n'),
  ]
  return parts.filter(part => typeof part === 'string' && part !== '').join('\n\n')
}

/**
 * A post's HTML with a direction for each paragraph, which mentions and links do not decide:
 * e-mails have no style sheet for that.
 */
const directed = (content: string): Html =>
  new Html(content.replaceAll(/<(?:p|li|a|blockquote|pre|h[1-5])(?=[\s>])/g, '$& dir="auto"'))

function htmlOf(post: Post, { t }: Translator): Html {
  const { spoiler_text: warning, content, language, poll, media_attachments: media } = post
  const quoted = post.quote?.quoted_status
  const files = media.map(({ type, url, description }) => {
    const kind = t(`subscription_post.media.${type}`)
    const label = description ? html`${kind}: <bdi>${description}</bdi>` : kind
    if (url === null) return html`<p>${label}</p>`
    return html`<p><a href="${url}">${label}</a></p>`
  })
  return html`<div ${language !== null && html`lang="${language}"`}>
    ${warning !== '' && html`<p><strong>${phrase(t('subscription_post.warning'), { warning: html`<bdi>${warning}</bdi>` })}</strong></p>`}
    ${directed(content)}
    ${
      poll &&
      html`<p>${t('subscription_post.poll')}</p>
        <ul>
          ${poll.options.map(({ title }) => html`<li dir="auto">${title}</li>`)}
        </ul>`
    }
    ${files}
    ${
      quoted &&
      html`<p><a href="${quoted.url}">${t('subscription_post.quote', { name: nameOf(quoted.account) })}</a></p>
        <blockquote dir="auto">
          ${quoted.spoiler_text === '' ? directed(quoted.content) : html`<p dir="auto">${quoted.spoiler_text}</p>`}
        </blockquote>`
    }
  </div>`
}
