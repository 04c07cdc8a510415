import { Failure } from '../failure.ts'
import { html as htmlAnswer, operation, pageHeaders, param } from '../http/index.ts'
import { chooseLanguage, speak } from '../texts/index.ts'
import { embedDocument } from './document.ts'
import { loadEmbedded, type EmbeddedStatus } from './embedded.ts'
import { findEmbeddable } from './find.ts'

/** A status as a page for a frame on any other site. */
export const showEmbed = operation({
  method: 'GET',
  // The first part is @NAME; the router cannot say so.
  path: '/:account/:id/embed',
  auth: 'public',
  scopes: [],
  open: 'always',
  cache: 'own',
  page: true,
  summary: 'A public status as a page for a frame',
  params: { account: param.string(), id: param.id() },
  returns: 'text/html',
  async handle({ account, id }, context) {
    const { username } = await findEmbeddable(context, id)
    if (decode(account).toLowerCase() !== `@${username}`.toLowerCase()) throw new Failure('routeNotFound')
    const status = await loadEmbedded(context, id)
    if (!status) throw new Failure('routeNotFound')
    const speaker = speak(chooseLanguage(context.request.header('accept-language')))
    return htmlAnswer(embedDocument(status, speaker), 200, {
      ...pageHeaders(context),
      'X-Frame-Options': '',
      'Content-Security-Policy': policyFor(status),
      'Cache-Control': 'public, max-age=180',
      Vary: 'Accept-Language',
    })
  },
})

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Own scripts and styles, pictures and films from where this server keeps them; any page may be around it. */
function policyFor(status: EmbeddedStatus): string {
  const media = originsShown(status).join(' ')
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' ${media}; media-src 'self' ${media}; ` +
    `base-uri 'none'; form-action 'none'`
  )
}

/** The origins of all files that a status shows: of other servers' too. */
function originsShown(status: EmbeddedStatus): string[] {
  const { account, emojis, media_attachments: media, card, quote } = status
  const files = [
    account.avatar_static,
    card?.image,
    ...[...emojis, ...account.emojis].map(emoji => emoji.static_url),
    ...media.flatMap(({ url, preview_url: preview }) => [url, preview]),
  ]
  const origins = files.flatMap(url =>
    url !== null && url !== undefined && URL.canParse(url) ? new URL(url).origin : [],
  )
  const quoted = quote?.quoted_status ? originsShown(quote.quoted_status) : []
  return [...new Set([...origins, ...quoted])]
}
