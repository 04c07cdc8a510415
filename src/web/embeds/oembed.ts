import { ApiError } from '../../core/errors.ts'
import { html } from '../../platform/ui/index.ts'
import { operation, param } from '../../platform/http/index.ts'
import { parseStatus } from '../public/index.ts'
import { renderPublicStatus, statusIdIn } from '../../statuses/index.ts'
import { findEmbeddable } from './find.ts'

const WIDTH = 400
const CACHE_AGE_S = 86_400

/**
 * oEmbed (oembed.com): a quotation that a script replaces by the status's embed page in a frame.
 */
export const showOEmbed = operation({
  method: 'GET',
  path: '/api/oembed',
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  summary: 'Show the oEmbed data of a public or unlisted status',
  params: {
    url: param.string({ missing: 404, description: 'page of a status of this server' }),
    maxwidth: param.integer({ optional: true, min: 0 }),
    maxheight: param.integer({ optional: true, min: 0 }),
  },
  returns: 'OEmbed',
  async handle({ url, maxwidth, maxheight }, context) {
    const { localDomain, publicUrl } = context.config
    const id = statusIdIn(url, publicUrl)
    if (id === undefined) throw new ApiError('notFound')
    const found = await findEmbeddable(context, id)
    const rendered = await renderPublicStatus(context, id)
    if (!rendered) throw new ApiError('routeNotFound')
    const { display_name: name, username, url: profile } = parseStatus(rendered).account
    return {
      type: 'rich',
      version: '1.0',
      author_name: name || username,
      author_url: profile,
      provider_name: localDomain,
      provider_url: `${publicUrl}/`,
      cache_age: CACHE_AGE_S,
      html: quotation(found.url, `@${username}@${localDomain}`, publicUrl),
      width: maxwidth ?? WIDTH,
      height: maxheight ?? null,
    }
  },
})

/** The fallback for pages without the script. */
const quotation = (url: string, acct: string, publicUrl: string): string =>
  html`<blockquote class="mastodon-embed" data-embed-url="${url}/embed">
      <a href="${url}" target="_blank" rel="noopener">Post by ${acct}</a>
    </blockquote>
    <script src="${publicUrl}/embed.js" async></script>`.text
