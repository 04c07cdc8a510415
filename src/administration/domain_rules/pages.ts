import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import {
  allowDomain,
  blockDomain,
  changeDomainRule,
  checkNewRule,
  disallowDomain,
  findDomainAllow,
  findDomainAllows,
  findDomainRule,
  findDomainRules,
  parseSeverity,
  SEVERITIES,
  unblockDomain,
  type Severity,
} from '../../moderation/domain_rules/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  checkbox,
  field,
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
import { cursors, rangeOf, removableList } from '../page_parts/index.ts'
import { ALLOWS, BLOCKS, fileOperations } from './import_pages.ts'
import { suspensionPage } from './suspension_page.ts'

const permissions = ['manage_federation'] as const
const TONES: Readonly<Record<string, Tone>> = { noop: 'neutral', silence: 'warning', suspend: 'bad' }

const listActions = ({ t }: Staff, path: string): Html[] => [
  linkButton(`${path}/export.csv`, t('domain_import.export')),
  linkButton(`${path}/import`, t('domain_import.import')),
  linkButton(`${path}/new`, t('staff.add'), 'primary'),
]

const showBlocks = staffView({
  path: BLOCKS,
  summary: 'Rules about domains',
  permissions,
  params: cursors,
  async show(range, staff) {
    const { context, t } = staff
    const page = removableList(staff, {
      list: BLOCKS,
      range,
      rows: await findDomainRules(context.database, rangeOf(range)),
      intro: html`<p>${t('domain_blocks.intro')}</p>`,
      empty: t('domain_blocks.none'),
      item: rule => ({
        name: rule.domain,
        content: html`<div class="line">
            <a href="${BLOCKS}/${rule.id}/edit"><strong>${rule.domain}</strong></a>
            ${badge(t(`domain_blocks.severity.${rule.severity as Severity}`), TONES[rule.severity])}
            ${rule.reject_media && badge(t('domain_blocks.reject_media'))}
            ${rule.reject_reports && badge(t('domain_blocks.reject_reports'))}
          </div>
          ${rule.public_comment !== '' && html`<p class="quiet" dir="auto">${rule.public_comment}</p>`}
          ${rule.private_comment !== '' && html`<p class="quiet" dir="auto">${t('domain_blocks.private')} ${rule.private_comment}</p>`}`,
      }),
    })
    return { ...page, title: t('domain_blocks.title'), actions: listActions(staff, BLOCKS) }
  },
})

interface Input {
  readonly id?: Id
  readonly domain: string
  readonly severity: string
  readonly reject_media: boolean
  readonly reject_reports: boolean
  readonly public_comment: string
  readonly private_comment: string
  readonly obfuscate: boolean
}

function blockForm({ webSession, t }: Staff, given: Input, alert?: string): StaffPage {
  const { id, domain } = given
  const tick = (name: 'reject_media' | 'reject_reports' | 'obfuscate'): Html =>
    checkbox({
      label: t(`domain_blocks.${name}`),
      name,
      required: false,
      checked: given[name],
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
      value: given.severity,
      hint: t('domain_blocks.effect_hint'),
    }),
    tick('reject_media'),
    tick('reject_reports'),
    tick('obfuscate'),
    field({ label: t('domain_blocks.public_comment'), name: 'public_comment', value: given.public_comment }),
    field({ label: t('domain_blocks.private_comment'), name: 'private_comment', value: given.private_comment }),
    submit(t(id === undefined ? 'staff.add' : 'staff.save')),
  ]
  const csrfToken = webSession.csrfToken()
  return {
    title: t(id === undefined ? 'domain_blocks.add' : 'domain_blocks.edit'),
    place: BLOCKS,
    trail: [[BLOCKS, t('domain_blocks.title')]],
    alert,
    body:
      id === undefined
        ? form({ action: BLOCKS, csrfToken }, fields)
        : form({ action: `${BLOCKS}/${id}`, method: 'put', csrfToken }, fields),
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
  // The answer to the page that says what a suspension deletes.
  sure: param.boolean({ default: false }),
} as const

const EMPTY = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  public_comment: '',
  private_comment: '',
  obfuscate: false,
} as const

const newBlock = staffView({
  path: `${BLOCKS}/new`,
  summary: 'Form that makes a rule about a domain',
  permissions,
  params: { domain: param.string({ default: '' }) },
  show: ({ domain }, staff) => blockForm(staff, { ...EMPTY, domain }),
})

const createBlock = staffForm({
  path: BLOCKS,
  summary: 'Make a rule about a domain',
  permissions,
  params: { domain: param.string({ default: '' }), ...ruleParameters },
  async act({ domain, sure, ...given }, staff) {
    const { context, viewer, t } = staff
    const rule = { ...given, severity: parseSeverity(given.severity) }
    if (rule.severity === 'suspend' && !sure)
      return suspensionPage(staff, { ...given, domain: await checkNewRule(context.database, domain, rule) })
    await context.database.transaction(transaction => blockDomain(transaction, viewer.id, domain, rule))
    return { to: BLOCKS, notice: t('staff.added') }
  },
  again: (given, staff, message) => blockForm(staff, given, message),
})

const editBlock = staffView({
  path: `${BLOCKS}/:id/edit`,
  summary: 'Form that changes a rule about a domain',
  permissions,
  params: { id: param.id() },
  async show({ id }, staff) {
    const rule = await findDomainRule(staff.context.database, id)
    if (!rule) throw new ApiError('notFound')
    return blockForm(staff, rule)
  },
})

const changeBlock = staffForm({
  path: `${BLOCKS}/:id`,
  method: 'PUT',
  summary: 'Change a rule about a domain',
  permissions,
  // The domain cannot be changed; the form repeats it to be shown again after an error.
  params: { id: param.id(), domain: param.string({ default: '' }), ...ruleParameters },
  async act({ id, severity, obfuscate, sure, ...given }, staff) {
    const { context, viewer, t } = staff
    const found = await findDomainRule(context.database, id)
    if (!found) throw new ApiError('notFound')
    const { reject_media, reject_reports, public_comment, private_comment } = given
    const rule = {
      severity: parseSeverity(severity),
      reject_media,
      reject_reports,
      public_comment,
      private_comment,
      obfuscate,
    }
    if (rule.severity === 'suspend' && found.severity !== 'suspend' && !sure)
      return suspensionPage(staff, { ...rule, id, domain: found.domain })
    await context.database.transaction(transaction => changeDomainRule(transaction, viewer.id, found, rule))
    return { to: BLOCKS, notice: t('staff.saved') }
  },
  again: (given, staff, message) => blockForm(staff, given, message),
})

const removeBlocks = staffBatch({
  path: `${BLOCKS}/batch`,
  summary: 'Remove rules about domains',
  permissions,
  changes: ['delete'],
  list: BLOCKS,
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
  path: ALLOWS,
  summary: 'Domains that limited federation mode allows',
  permissions,
  params: cursors,
  async show(range, staff) {
    const { context, t } = staff
    const page = removableList(staff, {
      list: ALLOWS,
      range,
      rows: await findDomainAllows(context.database, rangeOf(range)),
      intro: html`<p>
        ${t(context.settings.get('limited_federation_mode') ? 'domain_allows.on' : 'domain_allows.off')}
      </p>`,
      empty: t('domain_allows.none'),
      item: ({ domain }) => ({ name: domain, content: html`<strong>${domain}</strong>` }),
    })
    return { ...page, title: t('domain_allows.title'), actions: listActions(staff, ALLOWS) }
  },
})

const allowForm = ({ webSession, t }: Staff, domain: string, alert?: string): StaffPage => ({
  title: t('domain_allows.add'),
  place: ALLOWS,
  trail: [[ALLOWS, t('domain_allows.title')]],
  alert,
  body: form({ action: ALLOWS, csrfToken: webSession.csrfToken() }, [
    field({ label: t('domain_blocks.domain'), name: 'domain', value: domain, required: true, verbatim: true }),
    submit(t('staff.add')),
  ]),
})

const newAllow = staffView({
  path: `${ALLOWS}/new`,
  summary: 'Form that allows a domain',
  permissions,
  params: {},
  show: (_, staff) => allowForm(staff, ''),
})

const createAllow = staffForm({
  path: ALLOWS,
  summary: 'Allow a domain in limited federation mode',
  permissions,
  params: { domain: param.string({ default: '' }) },
  async act({ domain }, { context, viewer, t }) {
    await context.database.transaction(transaction => allowDomain(transaction, viewer.id, domain))
    return { to: ALLOWS, notice: t('staff.added') }
  },
  again: ({ domain }, staff, message) => allowForm(staff, domain, message),
})

const removeAllows = staffBatch({
  path: `${ALLOWS}/batch`,
  summary: 'No longer allow domains',
  permissions,
  changes: ['delete'],
  list: ALLOWS,
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
