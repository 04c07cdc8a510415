import type { Id } from '../../core/id.ts'
import { param } from '../../platform/http/index.ts'
import { badge, field, filterForm, hidden, html, type BatchButton } from '../../platform/ui/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { decide, type Reviewed } from '../../timelines/trends/index.ts'
import { statusParts, STYLE } from '../../web/public/index.ts'
import { staffBatch, staffView, type Staff } from '../index.ts'
import { loadStatuses, statusPath } from '../page_parts/index.ts'
import { decisionBadge, listParameters, rangeOf, trendsPage } from './list_page.ts'
import { authorsOf, knownPublishers, publishersOf, risingLinks, risingStatuses, risingTags } from './rising.ts'

const permissions = ['manage_taxonomies'] as const

const CHANGES = ['approve', 'reject', 'approve_parent', 'reject_parent'] as const
type Change = (typeof CHANGES)[number]

/** The buttons that approve or reject; with `parent` also those for publishers or authors. */
function buttonsFor({ t }: Staff, parent?: 'publisher' | 'author'): BatchButton[] {
  const label = (change: string): string => t(`trends.${change}` as TextKey)
  const own: BatchButton[] = [
    { value: 'approve', label: label('approve') },
    { value: 'reject', label: label('reject'), kind: 'danger' },
  ]
  if (parent === undefined) return own
  return [
    ...own,
    { value: 'approve_parent', label: label(`approve_${parent}`) },
    { value: 'reject_parent', label: label(`reject_${parent}`), kind: 'danger' },
  ]
}

/** Decides on each; returns the number of those that exist. */
async function decideAll({ context, viewer }: Staff, what: Reviewed, ids: readonly Id[], change: Change) {
  let count = 0
  for (const id of ids) if (await decide(context, viewer.id, what, id, change.startsWith('approve'))) count += 1
  return count
}

const tags = staffView({
  path: '/admin/trends/tags',
  summary: 'Hashtags that rise, to review',
  permissions,
  params: listParameters,
  async show(asked, staff) {
    const { context, t, translator } = staff
    const rows = await risingTags(context.database, asked.state, rangeOf(asked))
    const items = rows.map(row => ({
      value: row.id,
      name: row.display_name,
      content: html`<div class="line">
          <a href="/admin/tags/${row.id}"><strong>#${row.display_name}</strong></a>
          ${decisionBadge(translator, row.trendable)} ${!row.usable && badge(t('tags.not_usable'), 'bad')}
          ${row.requested && badge(t('trends.requested'), 'warning')}
        </div>
        <p class="quiet">${t('trends.use', { uses: row.uses, accounts: row.accounts })}</p>`,
    }))
    return trendsPage(staff, { kind: 'tags', asked, buttons: buttonsFor(staff), items })
  },
})

const links = staffView({
  path: '/admin/trends/links',
  summary: 'Links that rise, to review',
  permissions,
  params: listParameters,
  async show(asked, staff) {
    const { context, t, translator } = staff
    const rows = await risingLinks(context.database, asked.state, rangeOf(asked))
    const items = rows.map(row => ({
      value: row.id,
      name: row.title || row.url,
      content: html`<div class="line">
          <a href="${row.url}" rel="noreferrer"><strong dir="auto">${row.title || row.url}</strong></a>
          ${decisionBadge(translator, row.trendable, row.publisher_trendable)}
        </div>
        <p class="quiet">
          ${row.provider_name || row.publisher} · ${t('trends.use', { uses: row.uses, accounts: row.accounts })}
        </p>`,
    }))
    return trendsPage(staff, { kind: 'links', asked, buttons: buttonsFor(staff, 'publisher'), items })
  },
})

const publishers = staffView({
  path: '/admin/trends/publishers',
  summary: 'Publishers of links, to review',
  permissions,
  params: { ...listParameters, domain: param.string({ default: '', trim: true, max: 255 }) },
  async show({ domain, ...asked }, staff) {
    const { context, t, translator } = staff
    const rows = await knownPublishers(context.database, asked.state, domain, rangeOf(asked))
    const items = rows.map(row => ({
      value: row.id,
      name: row.domain,
      content: html`<div class="line">
        <strong>${row.domain}</strong> ${decisionBadge(translator, row.trendable)}
        ${row.requested && badge(t('trends.requested'), 'warning')}
      </div>`,
    }))
    const before = filterForm('/admin/trends/publishers', t('staff.filter'), [
      hidden('state', asked.state),
      field({ label: t('trends.domain'), name: 'domain', type: 'search', value: domain, verbatim: true }),
    ])
    return trendsPage(staff, {
      kind: 'publishers',
      asked,
      buttons: buttonsFor(staff),
      items,
      before,
      query: { domain },
    })
  },
})

const statuses = staffView({
  path: '/admin/trends/statuses',
  summary: 'Statuses that rise, to review',
  permissions,
  params: listParameters,
  async show(asked, staff) {
    const { context, translator } = staff
    const rows = await risingStatuses(context.database, asked.state, rangeOf(asked))
    const { found, origins } = await loadStatuses(
      context,
      rows.map(({ id }) => id),
    )
    const items = rows.flatMap(row => {
      const status = found.get(row.id)
      if (!status) return []
      const content = html`<div class="line">
          ${decisionBadge(translator, row.trendable, row.author_trendable)}
          <a class="end" href="${statusPath(row.id)}">${translator.t('status_page.details')}</a>
        </div>
        <article class="status">${statusParts(status, translator)}</article>`
      return [{ value: row.id, name: `@${status.account.acct} ${row.id}`, content }]
    })
    const page = trendsPage(staff, { kind: 'statuses', asked, buttons: buttonsFor(staff, 'author'), items })
    return { ...page, head: STYLE, shown: origins }
  },
})

const review = (kind: 'tags' | 'links' | 'publishers' | 'statuses', what: Reviewed) =>
  staffBatch({
    path: `/admin/trends/${kind}/batch`,
    summary: `Approve or reject ${kind}`,
    permissions,
    changes: CHANGES,
    list: `/admin/trends/${kind}`,
    async act(change, ids, staff) {
      const { database } = staff.context
      if (!change.endsWith('_parent')) return decideAll(staff, what, ids, change)
      if (what === 'link') return decideAll(staff, 'publisher', await publishersOf(database, ids), change)
      return what === 'status' ? decideAll(staff, 'account', await authorsOf(database, ids), change) : 0
    },
  })

export const pageOperations = [
  tags,
  links,
  publishers,
  statuses,
  review('tags', 'tag'),
  review('links', 'link'),
  review('publishers', 'publisher'),
  review('statuses', 'status'),
]
