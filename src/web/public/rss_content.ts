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

/** Readers show pictures at once, so that of a sensitive one there is a link. */
function fileHtml({ type, url, description }: ShownMedia, isHidden: boolean): Html | null {
  if (url === null) return null
  if (type === 'image' && !isHidden) return html`<p><img src="${url}" alt="${description ?? ''}" /></p>`
  return html`<p><a href="${url}">${description ?? url}</a></p>`
}
