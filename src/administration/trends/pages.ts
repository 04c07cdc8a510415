import type { Id } from '../../core/id.ts'
import { param } from '../../platform/http/index.ts'
import { badge, field, filterForm, hidden, html, type BatchButton } from '../../platform/ui/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { decide, refreshTrends, type ReviewedKind } from '../../timelines/trends/index.ts'
import { statusParts, STYLE } from '../../web/public/index.ts'
import { staffBatch, staffForm, staffView, type Staff } from '../index.ts'
import { loadStatuses, statusPath } from '../page_parts/index.ts'
import { decisionBadge, listParameters, REFRESH_PATH, toOffsetRange, trendsPage } from './list_page.ts'
import {
  findAuthorsOfStatuses,
  listPublishers,
  findPublishersOfLinks,
  listTrendingLinks,
  listTrendingStatuses,
  listTrendingTags,
} from './review_lists.ts'

const permissions = ['manage_taxonomies'] as const

const CHANGES = ['approve', 'reject', 'approve_parent', 'reject_parent'] as const
type Change = (typeof CHANGES)[number]

/** The buttons that approve or reject entries, and optionally their publishers or authors. */
function reviewButtons({ t }: Staff, parent?: 'publisher' | 'author'): BatchButton[] {
  const label = (change: string): string => t(`trends.${change}` as TextKey)
  const buttons: BatchButton[] = [
    { value: 'approve', label: label('approve') },
    { value: 'reject', label: label('reject'), kind: 'danger' },
  ]
  if (parent === undefined) return buttons
  return [
    ...buttons,
    { value: 'approve_parent', label: label(`approve_${parent}`) },
    { value: 'reject_parent', label: label(`reject_${parent}`), kind: 'danger' },
  ]
}

/** Records a decision on each id; returns how many exist. */
async function decideAll({ context, viewer }: Staff, kind: ReviewedKind, ids: readonly Id[], change: Change) {
  const by = { moderator: viewer.id, isLogged: true }
  let count = 0
  for (const id of ids) if (await decide(context, by, kind, id, change.startsWith('approve'))) count += 1
  return count
}

const showTags = staffView({
  path: '/admin/trends/tags',
  summary: 'List trending hashtags to review',
  permissions,
  params: listParameters,
  async show(parameters, staff) {
    const { context, t, translator } = staff
    const rows = await listTrendingTags(context.database, parameters.state, toOffsetRange(parameters))
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
    return trendsPage(staff, { kind: 'tags', parameters, buttons: reviewButtons(staff), items })
  },
})

const showLinks = staffView({
  path: '/admin/trends/links',
  summary: 'List trending links to review',
  permissions,
  params: listParameters,
  async show(parameters, staff) {
    const { context, t, translator } = staff
    const rows = await listTrendingLinks(context.database, parameters.state, toOffsetRange(parameters))
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
    return trendsPage(staff, { kind: 'links', parameters, buttons: reviewButtons(staff, 'publisher'), items })
  },
})

const showPublishers = staffView({
  path: '/admin/trends/publishers',
  summary: 'List publishers of trending links to review',
  permissions,
  params: { ...listParameters, domain: param.string({ default: '', trim: true, max: 255 }) },
  async show({ domain, ...parameters }, staff) {
    const { context, t, translator } = staff
    const rows = await listPublishers(context.database, parameters.state, domain, toOffsetRange(parameters))
    const items = rows.map(row => ({
      value: row.id,
      name: row.domain,
      content: html`<div class="line">
        <strong>${row.domain}</strong> ${decisionBadge(translator, row.trendable)}
        ${row.requested && badge(t('trends.requested'), 'warning')}
      </div>`,
    }))
    const filter = filterForm('/admin/trends/publishers', t('staff.filter'), [
      hidden('state', parameters.state),
      field({ label: t('trends.domain'), name: 'domain', type: 'search', value: domain, verbatim: true }),
    ])
    return trendsPage(staff, {
      kind: 'publishers',
      parameters,
      buttons: reviewButtons(staff),
      items,
      filter,
      query: { domain },
    })
  },
})

const showStatuses = staffView({
  path: '/admin/trends/statuses',
  summary: 'List trending statuses to review',
  permissions,
  params: listParameters,
  async show(parameters, staff) {
    const { context, t, translator } = staff
    const rows = await listTrendingStatuses(context.database, parameters.state, toOffsetRange(parameters))
    const { byId, origins } = await loadStatuses(
      context,
      rows.map(({ id }) => id),
    )
    const items = rows.flatMap(row => {
      const status = byId.get(row.id)
      if (!status) return []
      const content = html`<div class="line">
          ${decisionBadge(translator, row.trendable, row.author_trendable)}
          ${row.requested && badge(t('trends.requested'), 'warning')}
          <a class="end" href="${statusPath(row.id)}">${t('status_page.details')}</a>
        </div>
        <article class="status">${statusParts(status, translator)}</article>`
      return [{ value: row.id, name: `@${status.account.acct} ${row.id}`, content }]
    })
    const page = trendsPage(staff, { kind: 'statuses', parameters, buttons: reviewButtons(staff, 'author'), items })
    return { ...page, head: STYLE, fileOrigins: origins }
  },
})

const refresh = staffForm({
  path: REFRESH_PATH,
  summary: 'Recount and rescore the trends now',
  permissions,
  params: {},
  async act(_, { context, t }) {
    await refreshTrends(context, false)
    return { to: '/admin/trends/tags', notice: t('trends.refreshed') }
  },
})

const reviewBatch = (kind: 'tags' | 'links' | 'publishers' | 'statuses', reviewed: ReviewedKind) =>
  staffBatch({
    path: `/admin/trends/${kind}/batch`,
    summary: `Approve or reject ${kind}`,
    permissions,
    changes: CHANGES,
    list: `/admin/trends/${kind}`,
    async act(change, ids, staff) {
      const { database } = staff.context
      if (!change.endsWith('_parent')) return decideAll(staff, reviewed, ids, change)
      if (reviewed === 'link') return decideAll(staff, 'publisher', await findPublishersOfLinks(database, ids), change)
      return reviewed === 'status' ? decideAll(staff, 'account', await findAuthorsOfStatuses(database, ids), change) : 0
    },
  })

export const pageOperations = [
  showTags,
  showLinks,
  showPublishers,
  showStatuses,
  refresh,
  reviewBatch('tags', 'tag'),
  reviewBatch('links', 'link'),
  reviewBatch('publishers', 'publisher'),
  reviewBatch('statuses', 'status'),
]
