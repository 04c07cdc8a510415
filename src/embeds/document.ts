import { html, Html, type Content } from '../pages/index.ts'
import { escapeHtml } from '../text/index.ts'
import type { Speaker } from '../texts/index.ts'
import type { EmbeddedCard, EmbeddedEmoji, EmbeddedMedia, EmbeddedPoll, EmbeddedStatus } from './embedded.ts'

/** The page of an embedded status. `speaker` has the texts that are not the author's. */
export function embedDocument(status: EmbeddedStatus, speaker: Speaker): string {
  const name = status.account.display_name || status.account.username
  return html`<!doctype html>
    <html lang="${speaker.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${speaker.say('embed.title', { name })}</title>
        <link rel="stylesheet" href="/assets/style.css" />
        <link rel="stylesheet" href="/assets/embed.css" />
        <script src="/assets/embedded.js" defer></script>
      </head>
      <body class="embed">
        <main class="card status">
          ${authorOf(status)} ${warned(status, speaker)} ${status.card && linkCard(status.card)}
          ${quoted(status, speaker)} ${footer(status, speaker)}
        </main>
      </body>
    </html>`.text
}

const OUTSIDE = new Html('target="_blank" rel="noopener"')

function authorOf({ account }: EmbeddedStatus): Html {
  const name = escapeHtml(account.display_name || account.username)
  return html`<a class="author" href="${account.url}" ${OUTSIDE}>
    <img src="${account.avatar_static}" alt="" width="48" height="48" />
    <span><bdi>${withEmojis(name, account.emojis)}</bdi><span class="quiet">@${account.acct}</span></span>
  </a>`
}

/** What the author wrote and attached, behind the content warning if there is one. */
function warned(status: EmbeddedStatus, speaker: Speaker): Content {
  const language = status.language ?? undefined
  const attributes = language === undefined ? html`dir="auto"` : html`dir="auto" lang="${language}"`
  const text = html`<div ${attributes}>${withEmojis(status.content, status.emojis)}</div>`
  const media = mediaOf(status, speaker)
  const poll = status.poll && pollOf(status.poll, status.emojis, speaker)
  if (status.spoiler_text === '') return [text, poll, media]
  const warning = withEmojis(escapeHtml(status.spoiler_text), status.emojis)
  return html`<details>
    <summary ${attributes}>${warning}</summary>
    ${text} ${poll} ${media}
  </details>`
}

const EMOJI = /:([a-zA-Z0-9_]+):/g

/** HTML with the pictures of custom emojis in its text; tags stay as they are. */
function withEmojis(text: string, emojis: readonly EmbeddedEmoji[]): Html {
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
  { media_attachments: media, sensitive, spoiler_text: warning }: EmbeddedStatus,
  speaker: Speaker,
): Content {
  if (media.length === 0) return null
  const items = html`<ul class="media">
    ${media.map(one => html`<li>${mediaItem(one, speaker)}</li>`)}
  </ul>`
  if (!sensitive || warning !== '') return items
  return html`<details>
    <summary>${speaker.say('embed.sensitive')}</summary>
    ${items}
  </details>`
}

function mediaItem({ type, url, preview_url: preview, description, meta }: EmbeddedMedia, speaker: Speaker): Content {
  const label = description ?? ''
  if (url === null) return speaker.say('embed.media_missing')
  if (type === 'video' || type === 'gifv')
    return html`<video src="${url}" poster="${preview}" controls preload="none" aria-label="${label}"></video>`
  if (type === 'audio') return html`<audio src="${url}" controls preload="none" aria-label="${label}"></audio>`
  if (type === 'unknown') return html`<a href="${url}" ${OUTSIDE}>${label || url}</a>`
  const { width, height } = meta?.small ?? {}
  const size = width === undefined || height === undefined ? null : html`width="${width}" height="${height}"`
  return html`<a href="${url}" ${OUTSIDE}><img src="${preview ?? url}" alt="${label}" ${size} loading="lazy" /></a>`
}

function pollOf(poll: EmbeddedPoll, emojis: readonly EmbeddedEmoji[], speaker: Speaker): Html {
  const options = poll.options.map(({ title, votes_count: votes }) => {
    const share = votes === null || poll.votes_count === 0 ? 0 : Math.round((votes / poll.votes_count) * 100)
    const name = html`<span dir="auto">${withEmojis(escapeHtml(title), emojis)}</span>`
    if (votes === null) return html`<li>${name}</li>`
    return html`<li>
      ${name} <strong>${share} %</strong
      ><meter min="0" max="100" value="${share}" aria-label="${title}">${share} %</meter>
    </li>`
  })
  const votes = speaker.say('embed.votes', { count: poll.votes_count })
  const end = poll.expired
    ? speaker.say('embed.poll_closed')
    : poll.expires_at !== null && html`${speaker.say('embed.poll_until')} ${time(poll.expires_at, speaker)}`
  return html`<ul class="poll">
      ${options}
    </ul>
    <p class="quiet">${votes}${end !== false && html` · ${end}`}</p>`
}

function linkCard(card: EmbeddedCard): Html {
  return html`<a class="link" href="${card.url}" ${OUTSIDE}>
    ${card.image !== null && html`<img src="${card.image}" alt="${card.image_description}" loading="lazy" />`}
    ${card.provider_name !== '' && html`<span class="quiet">${card.provider_name}</span>`}
    <strong dir="auto">${card.title}</strong>
    <span class="quiet" dir="auto">${card.description}</span>
  </a>`
}

/** A status that is quoted, without what it quotes itself. */
function quoted({ quote }: EmbeddedStatus, speaker: Speaker): Content {
  const status = quote?.quoted_status
  if (!status) return null
  return html`<blockquote class="quoted" cite="${status.url}">
    ${authorOf(status)} ${warned(status, speaker)}
  </blockquote>`
}

function time(at: string, { language }: Speaker): Html {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return html`<time datetime="${at}">${date.format(new Date(at))} UTC</time>`
}

function footer(status: EmbeddedStatus, speaker: Speaker): Html {
  const counts = [
    speaker.say('embed.replies', { count: status.replies_count }),
    speaker.say('embed.boosts', { count: status.reblogs_count }),
    speaker.say('embed.favourites', { count: status.favourites_count }),
  ]
  return html`<footer>
    <a href="${status.url}" ${OUTSIDE}>${time(status.created_at, speaker)}</a>
    ${status.edited_at !== null && html` · ${speaker.say('embed.edited')} ${time(status.edited_at, speaker)}`}
    <br />${counts.join(' · ')}
  </footer>`
}
