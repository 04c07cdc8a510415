import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { storedPartOfDomain } from '../../core/parse_url.ts'
import {
  allowDomain,
  blockDomain,
  changeDomainRule,
  checkNewRule,
  disallowDomain,
  findDomainAllow,
  findDomainAllows,
  findDomainRule,
  findAppliedRule,
  findDomainRules,
  parseSeverity,
  SEVERITIES,
  unblockDomain,
  type Severity,
  type StoredRule,
} from '../../moderation/domain_rules/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  checkbox,
  field,
  filterForm,
  form,
  hidden,
  html,
  linkButton,
  select,
  submit,
  type Html,
  type Tone,
} from '../../platform/ui/index.ts'
import { staffBatch, staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { cursors, toRange, removableList } from '../page_parts/index.ts'
import { ALLOWS_PATH, BLOCKS_PATH, fileOperations } from './import_pages.ts'
import { suspensionPage } from './suspension_page.ts'

const permissions = ['manage_federation'] as const
const TONES: Readonly<Record<string, Tone>> = { noop: 'neutral', silence: 'warning', suspend: 'bad' }

const listActions = ({ t }: Staff, path: string): Html[] => [
  linkButton(`${path}/export.csv`, t('domain_import.export')),
  linkButton(`${path}/import`, t('domain_import.import')),
  linkButton(`${path}/new`, t('staff.add'), 'primary'),
]

const showBlocks = staffView({
  path: BLOCKS_PATH,
  summary: 'List the rules about domains',
  permissions,
  params: { ...cursors, by_domain: param.string({ default: '', trim: true, max: 255 }) },
  async show({ by_domain: part, ...range }, staff) {
    const { context, t } = staff
    const filter = field({
      label: t('domain_blocks.domain'),
      name: 'by_domain',
      type: 'search',
      value: part,
      hint: t('domain_blocks.filter_hint'),
      verbatim: true,
    })
    const page = removableList(staff, {
      path: BLOCKS_PATH,
      range,
      kept: part === '' ? {} : { by_domain: part },
      rows: await findDomainRules(context.database, toRange(range), storedPartOfDomain(part)),
      intro: html`<p>${t('domain_blocks.intro')}</p>
        ${filterForm(BLOCKS_PATH, t('staff.filter'), filter)}`,
      empty: t(part === '' ? 'domain_blocks.none' : 'domain_blocks.none_found'),
      item: rule => ({
        name: rule.domain,
        content: html`<div class="line">
            <a href="${BLOCKS_PATH}/${rule.id}/edit"><strong>${rule.domain}</strong></a>
            ${badge(t(`domain_blocks.severity.${rule.severity as Severity}`), TONES[rule.severity])}
            ${rule.reject_media && badge(t('domain_blocks.reject_media'))}
            ${rule.reject_reports && badge(t('domain_blocks.reject_reports'))}
          </div>
          ${rule.public_comment !== '' && html`<p class="quiet" dir="auto">${rule.public_comment}</p>`}
          ${rule.private_comment !== '' && html`<p class="quiet" dir="auto">${t('domain_blocks.private')} ${rule.private_comment}</p>`}`,
      }),
    })
    return { ...page, title: t('domain_blocks.title'), actions: listActions(staff, BLOCKS_PATH) }
  },
})

interface RuleInput {
  readonly id?: Id
  readonly domain: string
  readonly severity: string
  readonly reject_media: boolean
  readonly reject_reports: boolean
  readonly public_comment: string
  readonly private_comment: string
  readonly obfuscate: boolean
}

function blockForm({ webSession, t }: Staff, input: RuleInput, alert?: string, existing?: StoredRule): StaffPage {
  const { id, domain } = input
  const flagField = (name: 'reject_media' | 'reject_reports' | 'obfuscate'): Html =>
    checkbox({
      label: t(`domain_blocks.${name}`),
      name,
      required: false,
      checked: input[name],
      hint: t(`domain_blocks.${name}_hint`),
    })
  const fields = [
    id === undefined
      ? field({ label: t('domain_blocks.domain'), name: 'domain', value: domain, required: true, verbatim: true })
      : html`<p><strong>${domain}</strong></p>
          ${hidden('domain', domain)}`,
    select({
      label: t('domain_blocks.effect'),
      name: 'severity',
      choices: SEVERITIES.map(severity => [severity, t(`domain_blocks.severity.${severity}`)]),
      value: input.severity,
      hint: t('domain_blocks.effect_hint'),
    }),
    flagField('reject_media'),
    flagField('reject_reports'),
    flagField('obfuscate'),
    field({ label: t('domain_blocks.public_comment'), name: 'public_comment', value: input.public_comment }),
    field({ label: t('domain_blocks.private_comment'), name: 'private_comment', value: input.private_comment }),
    submit(t(id === undefined ? 'staff.add' : 'staff.save')),
  ]
  const csrfToken = webSession.csrfToken()
  return {
    title: t(id === undefined ? 'domain_blocks.add' : 'domain_blocks.edit'),
    navigationPath: BLOCKS_PATH,
    breadcrumbs: [[BLOCKS_PATH, t('domain_blocks.title')]],
    alert,
    body: [
      existing &&
        html`<p>
          <a href="${BLOCKS_PATH}/${existing.id}/edit">${t('domain_blocks.existing', { domain: existing.domain })}</a>
        </p>`,
      id === undefined
        ? form({ action: BLOCKS_PATH, csrfToken }, fields)
        : form({ action: `${BLOCKS_PATH}/${id}`, method: 'put', csrfToken }, fields),
    ],
  }
}

const comment = param.string({ default: '', trim: true, max: 2000 })
const ruleParameters = {
  severity: param.string({ default: 'silence' }),
  reject_media: param.boolean({ default: false }),
  reject_reports: param.boolean({ default: false }),
  public_comment: comment,
  private_comment: comment,
  obfuscate: param.boolean({ default: false }),
  // Set by the page that confirms a suspension.
  sure: param.boolean({ default: false }),
} as const

const EMPTY_RULE = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  public_comment: '',
  private_comment: '',
  obfuscate: false,
} as const

const newBlock = staffView({
  path: `${BLOCKS_PATH}/new`,
  summary: 'Show the form that adds a rule about a domain',
  permissions,
  params: { domain: param.string({ default: '' }) },
  show: ({ domain }, staff) => blockForm(staff, { ...EMPTY_RULE, domain }),
})

const createBlock = staffForm({
  path: BLOCKS_PATH,
  summary: 'Add a rule about a domain',
  permissions,
  params: { domain: param.string({ default: '' }), ...ruleParameters },
  async act({ domain, sure, ...input }, staff) {
    const { context, viewer, t } = staff
    const rule = { ...input, severity: parseSeverity(input.severity) }
    if (rule.severity === 'suspend' && !sure)
      return suspensionPage(staff, { ...input, domain: await checkNewRule(context.database, domain, rule) })
    await context.database.transaction(transaction => blockDomain(transaction, viewer.id, domain, rule))
    return { to: BLOCKS_PATH, notice: t('staff.added') }
  },
  showError: async (input, staff, message) =>
    blockForm(staff, input, message, await findAppliedRule(staff.context.database, input.domain)),
})

const editBlock = staffView({
  path: `${BLOCKS_PATH}/:id/edit`,
  summary: 'Show the form that changes a rule about a domain',
  permissions,
  params: { id: param.id() },
  async show({ id }, staff) {
    const rule = await findDomainRule(staff.context.database, id)
    if (!rule) throw new ApiError('notFound')
    return blockForm(staff, rule)
  },
})

const changeBlock = staffForm({
  path: `${BLOCKS_PATH}/:id`,
  method: 'PUT',
  summary: 'Change a rule about a domain',
  permissions,
  // The domain cannot be changed; the form submits it so that it can be shown again after an error.
  params: { id: param.id(), domain: param.string({ default: '' }), ...ruleParameters },
  async act({ id, severity, obfuscate, sure, ...input }, staff) {
    const { context, viewer, t } = staff
    const stored = await findDomainRule(context.database, id)
    if (!stored) throw new ApiError('notFound')
    const { reject_media, reject_reports, public_comment, private_comment } = input
    const rule = {
      severity: parseSeverity(severity),
      reject_media,
      reject_reports,
      public_comment,
      private_comment,
      obfuscate,
    }
    if (rule.severity === 'suspend' && stored.severity !== 'suspend' && !sure)
      return suspensionPage(staff, { ...rule, id, domain: stored.domain })
    await context.database.transaction(transaction => changeDomainRule(transaction, viewer.id, stored, rule))
    return { to: BLOCKS_PATH, notice: t('staff.saved') }
  },
  showError: (input, staff, message) => blockForm(staff, input, message),
})

const removeBlocks = staffBatch({
  path: `${BLOCKS_PATH}/batch`,
  summary: 'Remove rules about domains',
  permissions,
  changes: ['delete'],
  list: BLOCKS_PATH,
  async act(_, ids, { context: { database }, viewer }) {
    let count = 0
    for (const id of ids) {
      const rule = await findDomainRule(database, id)
      if (rule && (await database.transaction(transaction => unblockDomain(transaction, viewer.id, rule.domain))))
        count += 1
    }
    return count
  },
})

const showAllows = staffView({
  path: ALLOWS_PATH,
  summary: 'List the domains that limited federation mode allows',
  permissions,
  params: cursors,
  async show(range, staff) {
    const { context, t } = staff
    const page = removableList(staff, {
      path: ALLOWS_PATH,
      range,
      rows: await findDomainAllows(context.database, toRange(range)),
      intro: html`<p>
        ${t(context.settings.get('limited_federation_mode') ? 'domain_allows.on' : 'domain_allows.off')}
      </p>`,
      empty: t('domain_allows.none'),
      item: ({ domain }) => ({ name: domain, content: html`<strong>${domain}</strong>` }),
    })
    return { ...page, title: t('domain_allows.title'), actions: listActions(staff, ALLOWS_PATH) }
  },
})

const allowForm = ({ webSession, t }: Staff, domain: string, alert?: string): StaffPage => ({
  title: t('domain_allows.add'),
  navigationPath: ALLOWS_PATH,
  breadcrumbs: [[ALLOWS_PATH, t('domain_allows.title')]],
  alert,
  body: form({ action: ALLOWS_PATH, csrfToken: webSession.csrfToken() }, [
    field({ label: t('domain_blocks.domain'), name: 'domain', value: domain, required: true, verbatim: true }),
    submit(t('staff.add')),
  ]),
})

const newAllow = staffView({
  path: `${ALLOWS_PATH}/new`,
  summary: 'Show the form that allows a domain',
  permissions,
  params: {},
  show: (_, staff) => allowForm(staff, ''),
})

const createAllow = staffForm({
  path: ALLOWS_PATH,
  summary: 'Allow a domain in limited federation mode',
  permissions,
  params: { domain: param.string({ default: '' }) },
  async act({ domain }, { context, viewer, t }) {
    await context.database.transaction(transaction => allowDomain(transaction, viewer.id, domain))
    return { to: ALLOWS_PATH, notice: t('staff.added') }
  },
  showError: ({ domain }, staff, message) => allowForm(staff, domain, message),
})

const removeAllows = staffBatch({
  path: `${ALLOWS_PATH}/batch`,
  summary: 'Stop allowing domains',
  permissions,
  changes: ['delete'],
  list: ALLOWS_PATH,
  async act(_, ids, { context: { database, settings }, viewer }) {
    const limited = settings.get('limited_federation_mode')
    let count = 0
    for (const id of ids) {
      const allow = await findDomainAllow(database, id)
      if (!allow) continue
      await database.transaction(transaction => disallowDomain(transaction, viewer.id, allow.domain, limited))
      count += 1
    }
    return count
  },
})

export const pageOperations = [
  ...fileOperations,
  showBlocks,
  newBlock,
  createBlock,
  editBlock,
  changeBlock,
  removeBlocks,
  showAllows,
  newAllow,
  createAllow,
  removeAllows,
]
