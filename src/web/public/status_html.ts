import { html, Html, phrase, time, type Content } from '../../platform/ui/index.ts'
import { escapeHtml } from '../../core/text/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { ShownAccount, ShownCard, ShownEmoji, ShownMedia, ShownPoll, ShownStatus } from './entities.ts'

/**
 * A status as an article: author, content, attachments and counts. `translator` has the texts
 * around the content.
 */
export const statusArticle = (status: ShownStatus, translator: Translator): Html =>
  status.reblog
    ? html`<article class="card status">
        <p class="quiet">${phrase(translator.t('status.boosted'), { name: nameOf(status.account) })}</p>
        ${statusParts(status.reblog, translator)}
      </article>`
    : html`<article class="card status">${statusParts(status, translator)}</article>`

/** The parts of a status's article. */
export const statusParts = (status: ShownStatus, translator: Translator): Content => [
  authorOf(status),
  warned(status, translator, [status.card && linkCard(status.card, status), quoted(status, translator)]),
  footer(status, translator),
]

/** An account's display name with custom emojis. */
export const nameOf = ({ display_name, username, emojis }: ShownAccount): Html =>
  html`<bdi>${withEmojis(escapeHtml(display_name || username), emojis)}</bdi>`

function authorOf({ account }: Pick<ShownStatus, 'account'>): Html {
  return html`<a class="author" href="${account.url}">
    <img src="${account.avatar_static}" alt="" width="48" height="48" />
    <span>${nameOf(account)}<span class="quiet">@${account.acct}</span></span>
  </a>`
}

/**
 * Content, attachments and what else belongs to the content, behind the content warning if there is
 * one.
 */
function warned(status: ShownStatus, translator: Translator, attached: Content = []): Content {
  const language = status.language ?? undefined
  const attributes = language === undefined ? html`dir="auto"` : html`dir="auto" lang="${language}"`
  const text = html`<div ${attributes}>${withEmojis(status.content, status.emojis)}</div>`
  const media = mediaOf(status, translator)
  const poll = status.poll && pollOf(status.poll, status.emojis, translator)
  const parts = [text, poll, media, attached]
  if (status.spoiler_text === '') return parts
  const warning = withEmojis(escapeHtml(status.spoiler_text), status.emojis)
  return html`<details>
    <summary ${attributes}>${warning}</summary>
    ${parts}
  </details>`
}

const EMOJI = /:([a-zA-Z0-9_]+):/g

/** Replaces shortcodes in the text of HTML by pictures of custom emojis; tags are not changed. */
export function withEmojis(text: string, emojis: readonly ShownEmoji[]): Html {
  const urls = new Map(emojis.map(emoji => [emoji.shortcode, emoji.static_url]))
  const parts = text.split(/(<[^>]*>)/).map((part, place) =>
    place % 2 === 1
      ? part
      : part.replace(EMOJI, (name, shortcode: string) => {
          const url = urls.get(shortcode)
          return url === undefined ? name : html`<img class="emoji" src="${url}" alt="${name}" title="${name}" />`.text
        }),
  )
  return new Html(parts.join(''))
}

function mediaOf(
  { media_attachments: media, sensitive, spoiler_text: warning }: ShownStatus,
  translator: Translator,
): Content {
  if (media.length === 0) return null
  const items = html`<ul class="media">
    ${media.map(one => html`<li>${mediaItem(one, translator)}</li>`)}
  </ul>`
  if (!sensitive || warning !== '') return items
  return html`<details>
    <summary>${translator.t('status.sensitive')}</summary>
    ${items}
  </details>`
}

function mediaItem(
  { type, url, preview_url: preview, description, meta }: ShownMedia,
  translator: Translator,
): Content {
  const label = description ?? ''
  if (url === null) return translator.t('status.media_missing')
  if (type === 'video' || type === 'gifv')
    return html`<video src="${url}" poster="${preview}" controls preload="none" aria-label="${label}"></video>`
  if (type === 'audio') return html`<audio src="${url}" controls preload="none" aria-label="${label}"></audio>`
  if (type === 'unknown') return html`<a href="${url}">${label || url}</a>`
  const { width, height } = meta?.small ?? {}
  const size = width === undefined || height === undefined ? null : html`width="${width}" height="${height}"`
  return html`<a href="${url}"><img src="${preview ?? url}" alt="${label}" ${size} loading="lazy" /></a>`
}

function pollOf(poll: ShownPoll, emojis: readonly ShownEmoji[], translator: Translator): Html {
  const options = poll.options.map(({ title, votes_count: votes }) => {
    const share = votes === null || poll.votes_count === 0 ? 0 : Math.round((votes / poll.votes_count) * 100)
    const name = html`<span dir="auto">${withEmojis(escapeHtml(title), emojis)}</span>`
    if (votes === null) return html`<li>${name}</li>`
    return html`<li>
      ${name} <strong>${share} %</strong
      ><meter min="0" max="100" value="${share}" aria-label="${title}">${share} %</meter>
    </li>`
  })
  const votes = translator.t('status.votes', { count: poll.votes_count })
  const end = poll.expired
    ? translator.t('status.poll_closed')
    : poll.expires_at !== null && html`${translator.t('status.poll_until')} ${time(poll.expires_at, translator)}`
  return html`<ul class="poll">
      ${options}
    </ul>
    <p class="quiet">${votes}${end !== false && html` · ${end}`}</p>`
}

function linkCard(card: ShownCard, { sensitive }: ShownStatus): Html {
  return html`<a class="link" href="${card.url}">
    ${card.image !== null && !sensitive && html`<img src="${card.image}" alt="${card.image_description}" loading="lazy" />`}
    ${card.provider_name !== '' && html`<span class="quiet">${card.provider_name}</span>`}
    <strong dir="auto">${card.title}</strong>
    <span class="quiet" dir="auto">${card.description}</span>
  </a>`
}

/** A quoted status, without its own quote. */
function quoted({ quote }: ShownStatus, translator: Translator): Content {
  const status = quote?.quoted_status
  if (!status) return null
  return html`<blockquote class="quoted" cite="${status.url}">
    ${authorOf(status)} ${warned(status, translator)}
  </blockquote>`
}

function footer(status: ShownStatus, translator: Translator): Html {
  const counts = [
    translator.t('status.replies', { count: status.replies_count }),
    translator.t('status.boosts', { count: status.reblogs_count }),
    translator.t('status.favourites', { count: status.favourites_count }),
  ]
  return html`<footer>
    <a href="${status.url}">${time(status.created_at, translator)}</a>
    ${status.edited_at !== null && html` · ${translator.t('status.edited')} ${time(status.edited_at, translator)}`}
    <br />${counts.join(' · ')}
  </footer>`
}
