import { day, html, phrase, type Content, type Html } from '../../platform/ui/index.ts'
import { escapeHtml } from '../../core/text/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { ShownAccount } from './entities.ts'
import { nameOf, withEmojis } from './status_html.ts'

/** The header of a profile: picture, name, biography, fields and counts. */
export function profileHtml(account: ShownAccount, domain: string, translator: Translator): Html {
  const { t } = translator
  const counts = t('profile.counts', {
    posts: account.statuses_count,
    following: account.following_count,
    followers: account.followers_count,
  })
  return html`<section class="card status profile">
    ${!account.header_static.endsWith('/missing.png') && html`<img class="banner" src="${account.header_static}" alt="${account.header_description}" />`}
    <div class="author">
      <img src="${account.avatar_static}" alt="" width="72" height="72" />
      <div>
        <h1>${nameOf(account)}</h1>
        <span class="quiet">@${account.username}@${domain}</span>
      </div>
    </div>
    ${notices(account, translator)}
    <div dir="auto">${withEmojis(account.note, account.emojis)}</div>
    ${fields(account, translator)}
    <p class="quiet">${counts}<br />${phrase(t('profile.joined'), { date: day(account.created_at, translator) })}</p>
  </section>`
}

function notices({ memorial, moved }: ShownAccount, { t }: Translator): Content {
  const link = moved && html`<a href="${moved.url}">@${moved.acct}</a>`
  return [
    memorial === true && html`<p class="notice">${t('profile.memorial')}</p>`,
    link && html`<p class="notice">${phrase(t('profile.moved'), { account: link })}</p>`,
  ]
}

function fields({ fields: all, emojis }: ShownAccount, translator: Translator): Content {
  if (all.length === 0) return null
  const rows = all.map(({ name, value, verified_at: verified }) => {
    const checked =
      verified !== null &&
      html` <span class="verified"
        >✓ ${phrase(translator.t('profile.verified'), { date: day(verified, translator) })}</span
      >`
    return html`<div>
      <dt dir="auto">${withEmojis(escapeHtml(name), emojis)}</dt>
      <dd dir="auto">${withEmojis(value, emojis)}${checked}</dd>
    </div>`
  })
  return html`<dl class="fields">${rows}</dl>`
}
