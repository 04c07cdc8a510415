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
import { cursors, toRange, removableList } from '../page_parts/index.ts'
import { staffBatch, staffForm, staffView, type Staff, type StaffPage } from '../index.ts'

const PATH = '/admin/ip_blocks'
const permissions = ['manage_blocks'] as const
const TONES: Readonly<Record<string, Tone>> = { sign_up_requires_approval: 'neutral', sign_up_block: 'warning' }

/** The durations of a rule in seconds; 0 for one without an expiry. */
const DURATIONS = [0, 86_400, 7 * 86_400, 14 * 86_400, 30 * 86_400, 182 * 86_400, 365 * 86_400] as const

const showList = staffView({
  path: PATH,
  summary: 'List the rules about networks',
  permissions,
  params: cursors,
  async show(range, staff) {
    const { context, t, translator } = staff
    const page = removableList(staff, {
      path: PATH,
      range,
      rows: await findIpBlocks(context.database, toRange(range)),
      intro: html`<p>${t('ip_blocks.intro')}</p>`,
      empty: t('ip_blocks.none'),
      item: ({ id, ip, severity, comment, expires_at: end }) => ({
        name: ip,
        content: html`<div class="line">
            <a class="code" href="${PATH}/${id}/edit">${ip}</a>
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
      actions: linkButton(`${PATH}/new`, t('staff.add'), 'primary'),
    }
  },
})

interface IpBlockInput {
  readonly id?: Id
  readonly ip: string
  readonly severity: string
  readonly comment: string
  /** Seconds, or 'keep' for the stored expiry. */
  readonly expires_in: string
  readonly expiresAt?: Date | null
}

function formPage({ webSession, t, translator }: Staff, input: IpBlockInput, alert?: string): StaffPage {
  const { id, expiresAt } = input
  const durations = DURATIONS.map(
    seconds => [String(seconds), t('ip_blocks.duration', { days: seconds / 86_400 })] as const,
  )
  const fields = [
    field({
      label: t('ip_blocks.network'),
      name: 'ip',
      value: input.ip,
      required: true,
      verbatim: true,
      maxLength: 64,
      hint: t('ip_blocks.network_hint'),
    }),
    select({
      label: t('ip_blocks.effect'),
      name: 'severity',
      choices: SEVERITIES.map(severity => [severity, t(`ip_blocks.severity.${severity}`)]),
      value: input.severity,
      hint: t('ip_blocks.effect_hint'),
    }),
    select({
      label: t('ip_blocks.expires'),
      name: 'expires_in',
      choices: id === undefined ? durations : [['keep', t('ip_blocks.keep')], ...durations],
      value: input.expires_in,
    }),
    expiresAt && html`<p class="quiet">${t('ip_blocks.until')} ${time(expiresAt, translator)}</p>`,
    field({ label: t('ip_blocks.comment'), name: 'comment', value: input.comment, maxLength: 2000 }),
    submit(t(id === undefined ? 'staff.add' : 'staff.save')),
  ]
  const csrfToken = webSession.csrfToken()
  return {
    title: t(id === undefined ? 'ip_blocks.add' : 'ip_blocks.edit'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('ip_blocks.title')]],
    alert,
    body:
      id === undefined
        ? form({ action: PATH, csrfToken }, fields)
        : form({ action: `${PATH}/${id}`, method: 'put', csrfToken }, fields),
  }
}

const params = {
  ip: param.string({ default: '', trim: true }),
  severity: param.string({ default: '' }),
  comment: param.string({ default: '', trim: true }),
  expires_in: param.string({ default: '0' }),
} as const

/** The expiry that the form's choice stands for; undefined keeps the stored one. */
function parseExpiry(choice: string): Date | null | undefined {
  const seconds = DURATIONS.find(duration => String(duration) === choice)
  if (seconds === undefined) return undefined
  return seconds === 0 ? null : new Date(Date.now() + seconds * 1000)
}

const showNewBlock = staffView({
  path: `${PATH}/new`,
  summary: 'Show the form that adds a rule about a network',
  permissions,
  params: { ip: param.string({ default: '' }) },
  show: ({ ip }, staff) => formPage(staff, { ip, severity: 'sign_up_requires_approval', comment: '', expires_in: '0' }),
})

const createBlock = staffForm({
  path: PATH,
  summary: 'Add a rule about a network',
  permissions,
  params,
  async act({ ip, severity, comment, expires_in }, { context, viewer, t }) {
    await createIpBlock(context, viewer.id, { ip, severity, comment, expiresAt: parseExpiry(expires_in) })
    return { to: PATH, notice: t('staff.added') }
  },
  showError: (sent, staff, message) => formPage(staff, sent, message),
})

const showBlock = staffView({
  path: `${PATH}/:id/edit`,
  summary: 'Show the form that changes a rule about a network',
  permissions,
  params: { id: param.id() },
  async show({ id }, staff) {
    const block = await findIpBlock(staff.context.database, id)
    if (!block) throw new ApiError('notFound')
    return formPage(staff, { ...block, expires_in: 'keep', expiresAt: block.expires_at })
  },
})

const changeBlock = staffForm({
  path: `${PATH}/:id`,
  method: 'PUT',
  summary: 'Change a rule about a network',
  permissions,
  params: { id: param.id(), ...params },
  async act({ id, ip, severity, comment, expires_in }, { context, viewer, t }) {
    const block = await findIpBlock(context.database, id)
    if (!block) throw new ApiError('notFound')
    await updateIpBlock(context, viewer.id, block, { ip, severity, comment, expiresAt: parseExpiry(expires_in) })
    return { to: PATH, notice: t('staff.saved') }
  },
  showError: (sent, staff, message) => formPage(staff, sent, message),
})

const removeSelected = staffBatch({
  path: `${PATH}/batch`,
  summary: 'Remove rules about networks',
  permissions,
  changes: ['delete'],
  list: PATH,
  async act(_, ids, { context, viewer }) {
    let count = 0
    for (const id of ids) if (await removeIpBlock(context, viewer.id, id)) count += 1
    return count
  },
})

export const pageOperations = [showList, showNewBlock, createBlock, showBlock, changeBlock, removeSelected]
