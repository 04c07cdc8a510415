import type { Severity } from '../../moderation/domain_rules/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { storedDomain } from '../../core/parse_url.ts'
import { param, redirect } from '../../platform/http/index.ts'
import { badge, field, filterForm, href, html, pageLinks, table, type Content } from '../../platform/ui/index.ts'
import { staffView } from '../index.ts'
import { INSTANCES_PATH } from './path.ts'
import { purgeOperations } from './purge.ts'

const PAGE_SIZE = 40
/** The limit up to which accounts are counted. */
const MAX_COUNTED_ACCOUNTS = 1000

const pageQuery = query(
  'administration/instances/page',
  { after: c.text, prefix: c.text, limit: c.integer },
  {
    domain: c.text,
    accounts: c.integer,
    rule_id: c.nullable(c.id),
    rule_domain: c.nullable(c.text),
    severity: c.nullable(c.text),
    allowed: c.boolean,
  },
)

const showList = staffView({
  path: INSTANCES_PATH,
  summary: 'List the known servers',
  permissions: ['manage_federation'],
  params: {
    by_domain: param.string({ default: '', trim: true, max: 255 }),
    after: param.string({ default: '', max: 255 }),
  },
  async show({ by_domain: prefix, after }, { context, t, translator }) {
    const instances = await context.database.run(pageQuery, {
      after,
      prefix: prefix.toLowerCase(),
      limit: PAGE_SIZE + 1,
    })
    const rows = instances.slice(0, PAGE_SIZE)
    const isLimited = context.settings.get('limited_federation_mode')
    const ruleCell = ({ domain, rule_id: id, rule_domain: above, severity }: (typeof rows)[number]): Content =>
      id === null
        ? html`<a href="${href('/admin/domain_blocks/new', { domain })}">${t('instances.block')}</a>`
        : html`<a href="/admin/domain_blocks/${id}/edit">${t(`domain_blocks.severity.${severity as Severity}`)}</a>
            ${above !== domain && badge(above ?? '')}`
    return {
      title: t('instances.title'),
      navigationPath: INSTANCES_PATH,
      body: html`<p>${t('instances.intro')}</p>
        ${filterForm(
          INSTANCES_PATH,
          t('staff.filter'),
          field({ label: t('instances.prefix'), name: 'by_domain', type: 'search', value: prefix, verbatim: true }),
        )}
        ${table({
          caption: t('instances.title'),
          columns: [
            { label: t('domain_blocks.domain') },
            { label: t('accounts.title'), kind: 'number' },
            { label: t('instances.rule') },
            ...(isLimited ? [{ label: t('domain_allows.title') }] : []),
            { label: t('staff.actions'), kind: 'actions' },
          ],
          rows: rows.map(row => [
            row.domain,
            html`<a href="${href('/admin/accounts', { origin: 'remote', by_domain: row.domain })}"
              >${row.accounts >= MAX_COUNTED_ACCOUNTS ? `${MAX_COUNTED_ACCOUNTS}+` : row.accounts}</a
            >`,
            ruleCell(row),
            ...(isLimited ? [t(row.allowed ? 'staff.yes' : 'staff.no')] : []),
            html`<a href="${href(`${INSTANCES_PATH}/purge`, { domain: row.domain })}">${t('instances.purge')}</a>`,
          ]),
          empty: t('instances.none'),
        })}
        ${pageLinks(translator, {
          newer: after === '' ? undefined : href(INSTANCES_PATH, { by_domain: prefix }),
          older:
            instances.length > PAGE_SIZE
              ? href(INSTANCES_PATH, { by_domain: prefix, after: rows.at(-1)?.domain })
              : undefined,
        })}`,
    }
  },
})

/** The address of a server in Mastodon, which clients link to. */
const showInstance = staffView({
  path: `${INSTANCES_PATH}/:domain`,
  summary: 'Redirect to the list of known servers from a domain on',
  permissions: ['manage_federation'],
  params: { domain: param.string({ max: 255 }) },
  show: ({ domain }) => redirect(href(INSTANCES_PATH, { by_domain: storedDomain(domain) })),
})

export const pageOperations = [showList, ...purgeOperations, showInstance]
