import { isUtf8 } from 'node:buffer'
import { findDomainAllows, listDomainRules } from '../../moderation/domain_rules/index.ts'
import { param } from '../../platform/http/index.ts'
import { badge, batch, field, form, hidden, html, submit } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { lossSentences } from '../page_parts/index.ts'
import { addRule, type RuleKind } from './add_rule.ts'
import { allowsFile, MAX_ROWS, parseRules, rulesFile, type ImportedRule } from './csv.ts'

export const BLOCKS_PATH = '/admin/domain_blocks'
export const ALLOWS_PATH = '/admin/domain_allows'
const permissions = ['manage_federation'] as const

const PATHS = { blocks: BLOCKS_PATH, allows: ALLOWS_PATH } as const

const exportBlocks = staffView({
  path: `${BLOCKS_PATH}/export.csv`,
  summary: 'Download the rules about domains as CSV',
  permissions,
  params: {},
  show: async (_, { context }) => rulesFile(await listDomainRules(context.database)),
})

const PAGE_SIZE = 500

const exportAllows = staffView({
  path: `${ALLOWS_PATH}/export.csv`,
  summary: 'Download the allowed domains as CSV',
  permissions,
  params: {},
  async show(_, { context }) {
    const domains: string[] = []
    for (let last: string | undefined, more = true; more;) {
      const rows = await findDomainAllows(context.database, { limit: PAGE_SIZE, max_id: last })
      domains.push(...rows.map(({ domain }) => domain))
      last = rows.at(-1)?.id
      more = rows.length === PAGE_SIZE
    }
    return allowsFile(domains.toSorted())
  },
})

function importPage({ webSession, t }: Staff, kind: RuleKind, alert?: string): StaffPage {
  const path = PATHS[kind]
  return {
    title: t(`domain_${kind}.import`),
    navigationPath: path,
    breadcrumbs: [[path, t(`domain_${kind}.title`)]],
    alert,
    body: form({ action: `${path}/import`, csrfToken: webSession.csrfToken(), multipart: true }, [
      field({
        label: t('domain_import.file'),
        name: 'file',
        type: 'file',
        accept: 'text/csv,.csv',
        required: true,
        hint: t(`domain_${kind}.import_hint`, { count: MAX_ROWS }),
      }),
      submit(t('domain_import.preview')),
    ]),
  }
}

/**
 * Lists the rows of a file to select from, with the losses of each suspension; changes nothing yet.
 */
async function previewPage(
  staff: Staff,
  kind: RuleKind,
  csv: string,
  rules: readonly ImportedRule[],
  invalid: number,
): Promise<StaffPage> {
  const { webSession, t, translator } = staff
  const path = PATHS[kind]
  const suspended = kind === 'blocks' ? rules.filter(({ severity }) => severity === 'suspend') : []
  const losses = await lossSentences(
    staff,
    suspended.map(({ domain }) => domain),
    true,
  )
  const items = rules.map(rule => ({
    value: rule.domain,
    name: rule.domain,
    checked: true,
    content: html`<div class="line">
        <strong>${rule.domain}</strong>
        ${
          kind === 'blocks' && [
            badge(t(`domain_blocks.severity.${rule.severity}`), rule.severity === 'suspend' ? 'bad' : 'warning'),
            rule.reject_media && badge(t('domain_blocks.reject_media')),
            rule.reject_reports && badge(t('domain_blocks.reject_reports')),
          ]
        }
      </div>
      ${losses.has(rule.domain) && html`<p>${losses.get(rule.domain)}</p>`}
      ${kind === 'blocks' && rule.public_comment !== '' && html`<p class="quiet">${rule.public_comment}</p>`}`,
  }))
  return {
    title: t('domain_import.preview'),
    navigationPath: path,
    status: 200,
    breadcrumbs: [[path, t(`domain_${kind}.title`)]],
    body: html`${invalid > 0 && html`<p class="alert">${t('domain_import.invalid', { count: invalid })}</p>`}
      <p>${t('domain_import.choose')} ${suspended.length > 0 && t('domain_import.costs')}</p>
      ${batch({
        translator,
        action: `${path}/import/confirm`,
        csrfToken: webSession.csrfToken(),
        buttons: [{ value: 'import', label: t('domain_import.submit'), kind: 'primary' }],
        items,
        empty: t('domain_import.empty'),
        name: 'domains[]',
        fields: hidden('csv', csv),
      })}`,
    scripts: ['/assets/batch.js'],
  }
}

const importOperations = (kind: RuleKind) => {
  const path = PATHS[kind]
  const showImport = staffView({
    path: `${path}/import`,
    summary: `Show the form that imports a file of domain ${kind}`,
    permissions,
    params: {},
    show: (_, staff) => importPage(staff, kind),
  })
  const previewImport = staffForm({
    path: `${path}/import`,
    summary: `Preview the domain ${kind} in a file`,
    permissions,
    params: { file: param.upload({ optional: true }) },
    async act({ file }, staff) {
      const bytes = file && Buffer.isBuffer(file.content) ? file.content : undefined
      if (!bytes || !isUtf8(bytes) || bytes.includes(0)) return importPage(staff, kind, staff.t('domain_import.no_csv'))
      const csv = bytes.toString('utf8')
      const parsed = parseRules(csv)
      if (!parsed) return importPage(staff, kind, staff.t('domain_import.no_csv'))
      return previewPage(staff, kind, csv, parsed.rules, parsed.invalid)
    },
  })
  const confirmImport = staffForm({
    path: `${path}/import/confirm`,
    summary: `Import the selected domain ${kind}`,
    permissions,
    params: {
      csv: param.string({ default: '' }),
      domains: param.strings({ default: [], max: MAX_ROWS, scalar: true }),
    },
    async act({ csv, domains }, staff) {
      const selectedDomains = new Set(domains)
      const rules = parseRules(csv)?.rules.filter(({ domain }) => selectedDomains.has(domain)) ?? []
      let added = 0
      for (const rule of rules) if (await addRule(staff.context.database, staff.viewer.id, kind, rule)) added += 1
      return { to: path, notice: staff.t('domain_import.done', { added, skipped: rules.length - added }) }
    },
  })
  return [showImport, previewImport, confirmImport]
}

export const fileOperations = [exportBlocks, exportAllows, ...importOperations('blocks'), ...importOperations('allows')]
