import { hasPermission, type Permission } from '../../core/permissions.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query } from '../../platform/database/index.ts'
import type { TextKey, Translator } from '../../platform/i18n/index.ts'
import type { Services } from '../../platform/services.ts'
import { asset, html, section, type Html } from '../../platform/ui/index.ts'
import { staffView } from '../index.ts'
import {
  readDimension,
  readMeasure,
  monthsBefore,
  readRetention,
  today,
  type Dimension,
  type DimensionKey,
  type Measure,
  type MeasureKey,
  type Period,
} from '../measures/index.ts'
import { renderChecks } from './checks.ts'
import { compactTable } from './compact_table.ts'
import { formatNumber, formatLanguage } from './format.ts'
import { plot } from './plot.ts'
import { retentionTable } from './retention_table.ts'

const PATH = '/admin/dashboard'
const STYLE_PATH = '/assets/dashboard.css'
const PERIOD_DAYS = 30
const RETENTION_MONTHS = 6
const MAX_RANKING_ROWS = 8

const pendingQuery = query(
  'administration/dashboard/pending_counts',
  {},
  {
    reports: c.integer,
    accounts: c.integer,
    appeals: c.integer,
    tags: c.integer,
    publishers: c.integer,
    authors: c.integer,
  },
)

type PendingCounts = { readonly [kind in keyof typeof pendingQuery.columns]: number }

/** The kinds of pending decisions, each with its page and the permission it needs. */
const PENDING_ITEMS: readonly { kind: keyof PendingCounts; path: string; permission: Permission; label: TextKey }[] = [
  { kind: 'reports', path: '/admin/reports', permission: 'manage_reports', label: 'dashboard.waiting.reports' },
  {
    kind: 'accounts',
    path: '/admin/accounts?status=pending',
    permission: 'manage_users',
    label: 'dashboard.waiting.accounts',
  },
  {
    kind: 'appeals',
    path: '/admin/disputes/appeals',
    permission: 'manage_appeals',
    label: 'dashboard.waiting.appeals',
  },
  {
    kind: 'tags',
    path: '/admin/trends/tags?state=pending',
    permission: 'manage_taxonomies',
    label: 'dashboard.waiting.tags',
  },
  {
    kind: 'publishers',
    path: '/admin/trends/publishers?state=pending',
    permission: 'manage_taxonomies',
    label: 'dashboard.waiting.publishers',
  },
  {
    kind: 'authors',
    path: '/admin/trends/statuses?state=pending',
    permission: 'manage_taxonomies',
    label: 'dashboard.waiting.authors',
  },
]

const FIGURES: readonly { key: MeasureKey; name: TextKey }[] = [
  { key: 'new_users', name: 'dashboard.measure.new_users' },
  { key: 'active_users', name: 'dashboard.measure.active_users' },
  { key: 'interactions', name: 'dashboard.measure.interactions' },
  { key: 'opened_reports', name: 'dashboard.measure.opened_reports' },
  { key: 'resolved_reports', name: 'dashboard.measure.resolved_reports' },
]

interface Ranking {
  readonly key: DimensionKey
  readonly title: TextKey
  /** The headings of the columns. */
  readonly keyLabel: TextKey
  readonly valueLabel: TextKey
  /** The translated name of an entry, if it differs from the API's. */
  formatKey?(translator: Translator, key: string): string | undefined
}

const RANKINGS: readonly Ranking[] = [
  {
    key: 'languages',
    title: 'dashboard.languages',
    keyLabel: 'dashboard.language',
    valueLabel: 'dashboard.users',
    formatKey: formatLanguage,
  },
  {
    key: 'sources',
    title: 'dashboard.sources',
    keyLabel: 'dashboard.source',
    valueLabel: 'dashboard.users',
    formatKey: (translator, key) => (key === 'web' ? translator.t('dashboard.website') : undefined),
  },
  { key: 'servers', title: 'dashboard.servers', keyLabel: 'dashboard.server', valueLabel: 'dashboard.posts' },
]

/** Reads a figure whose total, unlike that of the API, includes the last day. */
async function readFigure(services: Services, key: MeasureKey, { first, last }: Period): Promise<Measure> {
  const figure = await readMeasure(services, key, { first, last: last + 1 })
  return { ...figure, data: figure.data.slice(0, -1) }
}

function pendingList(translator: Translator, viewer: Viewer, counts: PendingCounts): Html | false {
  const entries = PENDING_ITEMS.filter(({ permission }) => hasPermission(viewer, permission)).map(
    ({ kind, path, label }) =>
      html`<li>
        <a href="${path}" class="${counts[kind] > 0 && 'some'}"
          ><strong>${formatNumber(translator, counts[kind])}</strong> ${translator.t(label)}</a
        >
      </li>`,
  )
  return (
    entries.length > 0 &&
    html`<section aria-labelledby="waiting_title">
      <h2 id="waiting_title">${translator.t('dashboard.waiting')}</h2>
      <ul class="waiting">
        ${entries}
      </ul>
    </section>`
  )
}

function ranking(
  translator: Translator,
  { key, title, keyLabel, valueLabel, formatKey }: Ranking,
  { data }: Dimension,
): Html {
  const caption = translator.t(title)
  const rows = data.map((entry): [string, string] => [
    formatKey?.(translator, entry.key) ?? entry.human_key,
    formatNumber(translator, entry.value),
  ])
  return section(
    key,
    caption,
    rows.length === 0
      ? html`<p class="quiet">${translator.t('dashboard.nothing')}</p>`
      : compactTable(caption, [translator.t(keyLabel), translator.t(valueLabel)], rows),
  )
}

const showDashboard = staffView({
  path: PATH,
  summary: 'Show the dashboard: recent figures, pending decisions, and the state of the server',
  permissions: ['view_dashboard'],
  params: {},
  async show(_, { context, viewer, translator, t }) {
    const { database } = context
    const last = today()
    const month = { first: last - PERIOD_DAYS + 1, last }
    // The groups run one after another: all at once, each statement would open a connection, which
    // takes longer than all statements.
    const counts = await database.one(pendingQuery, {})
    const figures = await Promise.all(
      FIGURES.map(async ({ key, name }) => plot(translator, t(name), await readFigure(context, key, month))),
    )
    const rankings = await Promise.all(
      RANKINGS.map(async ranked =>
        ranking(translator, ranked, await readDimension(context, ranked.key, month, { limit: MAX_RANKING_ROWS })),
      ),
    )
    const cohorts = await readRetention(context, { first: monthsBefore(last, RETENTION_MONTHS), last }, 'month')
    const state = hasPermission(viewer, 'view_devops') && (await renderChecks(context, translator))
    return {
      title: t('dashboard.title'),
      navigationPath: PATH,
      head: html`<link rel="stylesheet" href="${STYLE_PATH}" />`,
      body: html`<div class="dashboard">
        ${counts && pendingList(translator, viewer, counts)}
        <h2>${t('dashboard.figures', { count: PERIOD_DAYS })}</h2>
        <div class="figures">${figures}</div>
        ${retentionTable(translator, cohorts)}
        <div class="rankings">${rankings}</div>
        ${state}
      </div>`,
    }
  },
})

const style = asset(STYLE_PATH, new URL('dashboard.css', import.meta.url), 'text/css', 'Style sheet of the dashboard')

export const pageOperations = [showDashboard, style]
