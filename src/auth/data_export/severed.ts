import { signedInPage, settingsPage } from '../account_settings/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { param, Response } from '../../platform/http/index.ts'
import { entryList, html, timeText, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { csvLine } from './csv.ts'
import { fileHeaders } from './file_headers.ts'
import { readOn } from './pages.ts'
import { FOLLOW_COLUMNS } from './tables.ts'

const list = query(
  'auth/data_export/severances',
  { account: c.id, limit: c.integer },
  {
    id: c.id,
    type: c.text,
    target_name: c.text,
    followers_count: c.integer,
    following_count: c.integer,
    created_at: c.timestamp,
  },
)
const severedFollows = query(
  'auth/data_export/severed_follows',
  { account: c.id, severance: c.id, following: c.boolean, after: c.id },
  { id: c.id, cells: c.texts },
)

export const SEVERED_PATH = '/severed_relationships'
const MAX_SHOWN = 200

const CAUSES: Readonly<Record<string, TextKey>> = {
  domain_block: 'severed.domain_block',
  user_domain_block: 'severed.user_domain_block',
  account_suspension: 'severed.account_suspension',
}

function entry(row: Row<typeof list.columns>, translator: Translator): Html {
  const { t } = translator
  const { id, type, target_name: target, followers_count: followers, following_count: following } = row
  return html`<li class="entry">
    <p><strong>${t(CAUSES[type] ?? 'severed.domain_block', { target })}</strong></p>
    <p class="quiet">${timeText(row.created_at, translator)}</p>
    <ul>
      ${following > 0 && html`<li><a href="${SEVERED_PATH}/${id}/following.csv">${t('severed.following', { count: following })}</a></li>`}
      ${followers > 0 && html`<li><a href="${SEVERED_PATH}/${id}/followers.csv">${t('severed.followers', { count: followers })}</a></li>`}
    </ul>
  </li>`
}

/** The follows that a person lost by blocks of domains and suspensions. */
const showSevered = signedInPage({
  path: SEVERED_PATH,
  summary: 'Follows that were lost by blocks and suspensions',
  params: {},
  async show(_, context, webSession, viewer) {
    const { translator } = webSession
    const rows = await context.database.run(list, { account: viewer.id, limit: MAX_SHOWN })
    const entries = rows.map(row => entry(row, translator))
    return settingsPage(context, webSession, viewer, {
      title: translator.t('severed.title'),
      body: html`<p>${translator.t('severed.intro')}</p>
        ${entryList(entries, translator.t('severed.none'))}`,
      navigationPath: '/settings/exports',
    })
  },
})

const download = (name: 'following' | 'followers') =>
  signedInPage({
    path: `${SEVERED_PATH}/:id/${name}.csv`,
    summary: `Download the lost ${name} of a block or suspension as CSV`,
    params: { id: param.id() },
    returns: 'text/csv',
    async show({ id: severance }, context, _, viewer) {
      const following = name === 'following'
      const next = (after: Id) =>
        context.database.run(severedFollows, { account: viewer.id, severance, following, after })
      let text = csvLine(following ? FOLLOW_COLUMNS : FOLLOW_COLUMNS.slice(0, 1))
      for await (const { cells } of readOn(next, row => row.id)) text += csvLine(cells)
      return new Response(200, 'text/csv; charset=utf-8', text, fileHeaders(`lost_${name}.csv`))
    },
  })

export const severedOperations = [showSevered, download('following'), download('followers')]
