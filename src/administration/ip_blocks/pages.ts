import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import {
  createIpBlock,
  findIpBlock,
  findIpBlocks,
  removeIpBlock,
  updateIpBlock,
} from '../../moderation/ip_blocks/index.ts'
import { param } from '../../platform/http/index.ts'
import { SEVERITIES, type Severity } from '../../platform/http/address_policy.ts'
import { badge, field, form, html, linkButton, select, submit, time, type Tone } from '../../platform/ui/index.ts'
import { cursors, rangeOf, removableList } from '../page_parts/index.ts'
import { staffBatch, staffForm, staffView, type Staff, type StaffPage } from '../index.ts'

const LIST = '/admin/ip_blocks'
const permissions = ['manage_blocks'] as const
const TONES: Readonly<Record<string, Tone>> = { sign_up_requires_approval: 'neutral', sign_up_block: 'warning' }

/** How long a rule can count, in seconds; 0: until it is removed. */
const DURATIONS = [0, 86_400, 7 * 86_400, 14 * 86_400, 30 * 86_400, 182 * 86_400, 365 * 86_400] as const

const showList = staffView({
  path: LIST,
  summary: 'Rules about networks',
  permissions,
  params: cursors,
  async show(range, staff) {
    const { context, t, translator } = staff
    const page = removableList(staff, {
      list: LIST,
      range,
      rows: await findIpBlocks(context.database, rangeOf(range)),
      intro: html`<p>${t('ip_blocks.intro')}</p>`,
      empty: t('ip_blocks.none'),
      item: ({ id, ip, severity, comment, expires_at: end }) => ({
        name: ip,
        content: html`<div class="line">
            <a class="code" href="${LIST}/${id}/edit">${ip}</a>
            ${badge(t(`ip_blocks.severity.${severity as Severity}`), TONES[severity] ?? 'bad')}
            <span class="quiet"
              >${end === null ? t('ip_blocks.unlimited') : [t('ip_blocks.until'), ' ', time(end, translator)]}</span
            >
          </div>
          ${comment !== '' && html`<p class="quiet" dir="auto">${comment}</p>`}`,
      }),
    })
    return {
      ...page,
      title: t('ip_blocks.title'),
      actions: linkButton(`${LIST}/new`, t('staff.add'), 'primary'),
    }
  },
})

interface Input {
  readonly id?: Id
  readonly ip: string
  readonly severity: string
  readonly comment: string
  /** Seconds; 'keep' for the stored end. */
  readonly expires_in: string
  readonly end?: Date | null
}

function formPage({ webSession, t, translator }: Staff, given: Input, alert?: string): StaffPage {
  const { id, end } = given
  const durations = DURATIONS.map(
    seconds => [String(seconds), t('ip_blocks.duration', { days: seconds / 86_400 })] as const,
  )
  const fields = [
    field({
      label: t('ip_blocks.network'),
      name: 'ip',
      value: given.ip,
      required: true,
      verbatim: true,
      maxLength: 64,
      hint: t('ip_blocks.network_hint'),
    }),
    select({
      label: t('ip_blocks.effect'),
      name: 'severity',
      choices: SEVERITIES.map(severity => [severity, t(`ip_blocks.severity.${severity}`)]),
      value: given.severity,
      hint: t('ip_blocks.effect_hint'),
    }),
    select({
      label: t('ip_blocks.expires'),
      name: 'expires_in',
      choices: id === undefined ? durations : [['keep', t('ip_blocks.keep')], ...durations],
      value: given.expires_in,
    }),
    end && html`<p class="quiet">${t('ip_blocks.until')} ${time(end, translator)}</p>`,
    field({ label: t('ip_blocks.comment'), name: 'comment', value: given.comment, maxLength: 2000 }),
    submit(t(id === undefined ? 'staff.add' : 'staff.save')),
  ]
  const csrfToken = webSession.csrfToken()
  return {
    title: t(id === undefined ? 'ip_blocks.add' : 'ip_blocks.edit'),
    place: LIST,
    trail: [[LIST, t('ip_blocks.title')]],
    alert,
    body:
      id === undefined
        ? form({ action: LIST, csrfToken }, fields)
        : form({ action: `${LIST}/${id}`, method: 'put', csrfToken }, fields),
  }
}

const params = {
  ip: param.string({ default: '', trim: true }),
  severity: param.string({ default: '' }),
  comment: param.string({ default: '', trim: true }),
  expires_in: param.string({ default: '0' }),
} as const

/** The end of a rule from the form's choice; undefined keeps the stored one. */
function endOf(choice: string): Date | null | undefined {
  const seconds = DURATIONS.find(known => String(known) === choice)
  if (seconds === undefined) return undefined
  return seconds === 0 ? null : new Date(Date.now() + seconds * 1000)
}

const showNew = staffView({
  path: `${LIST}/new`,
  summary: 'Form that adds a rule about a network',
  permissions,
  params: { ip: param.string({ default: '' }) },
  show: ({ ip }, staff) => formPage(staff, { ip, severity: 'sign_up_requires_approval', comment: '', expires_in: '0' }),
})

const create = staffForm({
  path: LIST,
  summary: 'Add a rule about a network',
  permissions,
  params,
  async act({ ip, severity, comment, expires_in }, { context, viewer, t }) {
    await createIpBlock(context, viewer.id, { ip, severity, comment, expiresAt: endOf(expires_in) })
    return { to: LIST, notice: t('staff.added') }
  },
  again: (sent, staff, message) => formPage(staff, sent, message),
})

const showEdit = staffView({
  path: `${LIST}/:id/edit`,
  summary: 'Form that changes a rule about a network',
  permissions,
  params: { id: param.id() },
  async show({ id }, staff) {
    const block = await findIpBlock(staff.context.database, id)
    if (!block) throw new ApiError('notFound')
    return formPage(staff, { ...block, expires_in: 'keep', end: block.expires_at })
  },
})

const change = staffForm({
  path: `${LIST}/:id`,
  method: 'PUT',
  summary: 'Change a rule about a network',
  permissions,
  params: { id: param.id(), ...params },
  async act({ id, ip, severity, comment, expires_in }, { context, viewer, t }) {
    const block = await findIpBlock(context.database, id)
    if (!block) throw new ApiError('notFound')
    await updateIpBlock(context, viewer.id, block, { ip, severity, comment, expiresAt: endOf(expires_in) })
    return { to: LIST, notice: t('staff.saved') }
  },
  again: (sent, staff, message) => formPage(staff, sent, message),
})

const removeAll = staffBatch({
  path: `${LIST}/batch`,
  summary: 'Remove rules about networks',
  permissions,
  changes: ['delete'],
  list: LIST,
  async act(_, ids, { context, viewer }) {
    let count = 0
    for (const id of ids) {
      const block = await findIpBlock(context.database, id)
      if (block) count += await removeIpBlock(context, viewer.id, block.ip)
    }
    return count
  },
})

export const pageOperations = [showList, showNew, create, showEdit, change, removeAll]
