import { lookup } from 'mrmime'
import { html, Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { ShownMedia, ShownStatus } from './entities.ts'

/** The HTML of a post in a feed: content warning, content, options of a poll, files. */
export function itemHtml(status: ShownStatus, { t }: Translator): string {
  const { spoiler_text: warning, sensitive, content, poll, media_attachments: media } = status
  const isHidden = sensitive || warning !== ''
  return html`${
    warning !== '' &&
    html`<p><strong>${t('rss.warning')}</strong> ${warning}</p>
      <hr />`
  }${new Html(content)}${
    poll &&
    html`<ul>
      ${poll.options.map(({ title }) => html`<li>${title}</li>`)}
    </ul>`
  }${media.map(file => fileHtml(file, isHidden))}`.text
}

/**
 * The first file of a post as the element `enclosure`, of which an item has one (RSS 2.0): by it
 * programs for podcasts and pictures find the file. Readers show it at once, so that a sensitive
 * post has none. The size is not known here.
 */
export function enclosureOf({ spoiler_text: warning, sensitive, media_attachments: media }: ShownStatus) {
  const url = media.find(file => file.url !== null)?.url
  const type = typeof url === 'string' ? lookup(new URL(url).pathname) : undefined
  const isHidden = sensitive || warning !== ''
  return typeof url !== 'string' || type === undefined || isHidden ? undefined : { url, type, length: 0 }
}

/** Readers show pictures at once, so that of a sensitive one there is a link. */
function fileHtml({ type, url, description }: ShownMedia, isHidden: boolean): Html | null {
  if (url === null) return null
  if (type === 'image' && !isHidden) return html`<p><img src="${url}" alt="${description ?? ''}" /></p>`
  return html`<p><a href="${url}">${description ?? url}</a></p>`
}
