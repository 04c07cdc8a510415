import { listRoles, BASE_ROLE } from '../../auth/roles/index.ts'
import { hasPermission, type Permission } from '../../core/permissions.ts'
import { listWarningPresets } from '../../moderation/index.ts'
import {
  actionButton,
  checkbox,
  disclosure,
  field,
  form,
  html,
  section,
  select,
  submit,
  textArea,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import type { Staff } from '../index.ts'
import type { AccountDetails } from './details.ts'

type ButtonKind = 'primary' | 'plain' | 'danger'

interface FormTools {
  readonly staff: Staff
  readonly account: AccountDetails
  may(name: Permission): boolean
  /** A form with a single button. */
  button(action: string, label: TextKey, kind?: ButtonKind, method?: 'delete'): Html
  /** A form with fields that submits to a path below the account's. */
  actionForm(action: string, content: Content): Html
}

/** The forms of the actions that the viewer may take on an account. */
export async function accountForms(staff: Staff, account: AccountDetails): Promise<Content> {
  const { webSession, viewer, t } = staff
  const path = `/admin/accounts/${account.id}`
  const tools: FormTools = {
    staff,
    account,
    may: name => hasPermission(viewer, name),
    button: (action, label, kind = 'plain', method) =>
      actionButton({
        action: `${path}/${action}`,
        csrfToken: webSession.csrfToken(),
        label: t(label),
        kind,
        ...(method && { method }),
      }),
    actionForm: (action, content) => form({ action: `${path}/${action}`, csrfToken: webSession.csrfToken() }, content),
  }
  const parts = [
    signUpButtons(tools),
    reversalButtons(tools),
    account.outranks && (await strikeForm(tools)),
    account.outranks && removalButtons(tools),
    account.outranks && accessForms(tools),
    await roleForm(tools),
    allFollowersForms(tools),
    upkeepForms(tools),
    irreversibleForms(tools),
  ].filter(part => part !== false && part !== null)
  return section(
    'actions',
    t('accounts.actions'),
    parts.length > 0 ? parts : html`<p class="quiet">${t('accounts.outranked')}</p>`,
  )
}

function signUpButtons({ account, button }: FormTools): Content {
  if (account.user_id === null || account.approved) return null
  return html`<div class="buttons">
    ${button('approve', 'accounts.batch.approve', 'primary')} ${button('reject', 'accounts.batch.reject', 'danger')}
  </div>`
}

function reversalButtons({ account, button }: FormTools): Content {
  const buttons = [
    account.suspended_at !== null && button('unsuspend', 'accounts.unsuspend'),
    account.silenced_at !== null && button('unsilence', 'accounts.unsilence'),
    account.sensitized_at !== null && button('unsensitive', 'accounts.unsensitive'),
    account.disabled && button('enable', 'accounts.enable'),
  ].filter(content => content !== false)
  return buttons.length > 0 && html`<div class="buttons spaced">${buttons}</div>`
}

const strikeForm = async ({ staff, account, actionForm }: FormTools): Promise<Content> =>
  actionForm('action', await strikeFields(staff, account))

/** The fields for taking action on an account: the action, the message, and whether it is sent. */
export async function strikeFields({ context, t }: Staff, account: AccountDetails): Promise<Content> {
  const actions = [
    'none' as const,
    account.user_id !== null && !account.disabled && ('disable' as const),
    account.sensitized_at === null && ('sensitive' as const),
    account.silenced_at === null && ('silence' as const),
    account.suspended_at === null && ('suspend' as const),
  ].filter(content => content !== false)
  const presets = await listWarningPresets(context.database)
  return [
    select({
      label: t('accounts.act'),
      name: 'type',
      choices: actions.map(action => [action, t(`accounts.act.${action}`)]),
      value: 'none',
      hint: t('accounts.act_hint'),
    }),
    presets.length > 0 &&
      select({
        label: t('accounts.preset'),
        name: 'warning_preset_id',
        choices: [
          ['', t('staff.none_set')],
          ...presets.map(({ id, title, text }) => [id, title || text.slice(0, 80)] as const),
        ],
        value: '',
      }),
    textArea({ label: t('accounts.message'), name: 'text', hint: t('accounts.message_hint') }),
    account.user_id !== null &&
      checkbox({ label: t('accounts.notify'), name: 'notify', required: false, checked: true }),
    submit(t('accounts.act_submit'), 'danger'),
  ]
}

/** The buttons that remove pictures and e-mail subscribers. */
function removalButtons({ account, button }: FormTools): Content {
  const buttons = [
    account.has_avatar && button('remove_avatar', 'accounts.remove_avatar'),
    account.has_header && button('remove_header', 'accounts.remove_header'),
    account.email_subscribers > 0 && button('remove_email_subscribers', 'accounts.remove_email_subscribers', 'danger'),
  ].filter(content => content !== false)
  return buttons.length > 0 && html`<div class="buttons spaced">${buttons}</div>`
}

function accessForms({ staff: { t }, account, may, button, actionForm }: FormTools): Content {
  if (account.user_id === null || !may('manage_user_access')) return null
  const change = actionForm('email', [
    field({
      label: t('accounts.new_email'),
      name: 'email',
      type: 'email',
      value: account.unconfirmed_email ?? account.email ?? '',
      required: true,
      verbatim: true,
      hint: t('accounts.new_email_hint'),
    }),
    submit(t('accounts.change_email'), 'plain'),
  ])
  const isUnconfirmed = !account.confirmed || account.unconfirmed_email !== null
  return disclosure(t('accounts.access'), [
    change,
    html`<div class="buttons">
      ${isUnconfirmed && [button('confirm', 'accounts.confirm'), button('resend', 'accounts.resend')]}
      ${button('reset_password', 'accounts.reset_password', 'danger')}
    </div>`,
    account.second_factor &&
      actionForm('disable_2fa', [
        checkbox({ id: 'disable_2fa_sure', label: t('accounts.sure'), name: 'sure' }),
        submit(t('accounts.disable_2fa'), 'danger'),
      ]),
    html`<p>${t('accounts.backup_hint')}</p>
      <div class="buttons">${button('backup', 'accounts.backup')}</div>`,
  ])
}

async function roleForm({ staff: { context, viewer, t }, account, may, actionForm }: FormTools): Promise<Content> {
  if (account.user_id === null || !account.outranks || !may('manage_roles')) return null
  const roles = await listRoles(context.database)
  return disclosure(
    t('accounts.role'),
    actionForm('role', [
      select({
        label: t('accounts.role'),
        name: 'role_id',
        choices: roles
          .filter(({ id, position }) => id === BASE_ROLE || position <= viewer.rolePosition)
          .map(({ id, name }) => [id === BASE_ROLE ? '' : id, id === BASE_ROLE ? t('accounts.no_role') : name]),
        value: account.role_id ?? '',
      }),
      submit(t('accounts.change_role'), 'plain'),
    ]),
  )
}

/**
 * A form with a checkbox that must be ticked, because the action is irreversible or far-reaching.
 */
function confirmedForm(
  { staff: { t }, actionForm }: FormTools,
  action: ConfirmedAction,
  kind: ButtonKind = 'danger',
): Html {
  return actionForm(action, [
    html`<p>${t(`accounts.${action}_hint`)}</p>`,
    checkbox({ id: `${action}_sure`, label: t('accounts.sure'), name: 'sure' }),
    submit(t(`accounts.${action}`), kind),
  ])
}

type ConfirmedAction = 'purge' | 'delete' | 'memorialize' | 'follow_all' | 'unfollow_all' | 'rotate_keys'

/** The forms that make all local accounts follow or unfollow the account. */
function allFollowersForms(tools: FormTools): Content {
  const { account, may, staff } = tools
  if (!may('manage_settings') || account.deletion_requested_at !== null) return null
  const canBeFollowed = account.domain === null && account.suspended_at === null && account.approved
  return disclosure(staff.t('accounts.all_followers'), [
    canBeFollowed && confirmedForm(tools, 'follow_all', 'primary'),
    confirmedForm(tools, 'unfollow_all'),
  ])
}

/** A remote account is fetched again; a local one gets new keys, or its feeds are built again. */
function upkeepForms(tools: FormTools): Content {
  const { account, may, staff, button } = tools
  if (account.deletion_requested_at !== null) return null
  if (account.domain !== null)
    return (
      may('manage_federation') &&
      html`<div class="buttons spaced">
        ${button('refresh', 'accounts.refresh')} ${button('copy_media', 'accounts.copy_media')}
      </div>`
    )
  if (!may('manage_settings')) return null
  return [
    account.user_id !== null &&
      disclosure(staff.t('accounts.feeds'), [
        html`<p>${staff.t('accounts.build_feeds_hint')}</p>`,
        html`<div class="buttons">${button('build_feeds', 'accounts.build_feeds')}</div>`,
      ]),
    disclosure(staff.t('accounts.keys'), confirmedForm(tools, 'rotate_keys')),
  ]
}

/** The form that removes the follows or followers of a local account. */
const resetForm = ({ staff: { t }, actionForm }: FormTools): Html =>
  actionForm('reset_relationships', [
    html`<p>${t('accounts.reset_relationships_hint')}</p>`,
    checkbox({ label: t('accounts.reset_follows'), name: 'follows', required: false }),
    checkbox({ label: t('accounts.reset_followers'), name: 'followers', required: false }),
    checkbox({ id: 'reset_sure', label: t('accounts.sure'), name: 'sure' }),
    submit(t('accounts.reset_relationships'), 'danger'),
  ])

/** The form that moves a local account on behalf of a user who cannot do it. */
const moveForm = ({ staff: { t }, actionForm }: FormTools): Html =>
  actionForm('move', [
    html`<p>${t('accounts.move_hint')}</p>`,
    field({
      label: t('accounts.move_target'),
      name: 'target',
      value: '',
      verbatim: true,
      hint: t('accounts.move_target_hint'),
    }),
    checkbox({ label: t('accounts.move_force'), name: 'force', required: false }),
    checkbox({ id: 'move_sure', label: t('accounts.sure'), name: 'sure' }),
    submit(t('accounts.move'), 'danger'),
  ])

/** The form that merges a remote account into another one. */
const mergeForm = ({ staff: { t }, actionForm }: FormTools): Html =>
  actionForm('merge', [
    html`<p>${t('accounts.merge_hint')}</p>`,
    field({
      id: 'merge_target',
      label: t('accounts.move_target'),
      name: 'target',
      value: '',
      required: true,
      verbatim: true,
    }),
    checkbox({ id: 'merge_force', label: t('accounts.merge_force'), name: 'force', required: false }),
    checkbox({ id: 'merge_sure', label: t('accounts.sure'), name: 'sure' }),
    submit(t('accounts.merge'), 'danger'),
  ])

/** The forms of irreversible actions. */
function irreversibleForms(tools: FormTools): Content {
  const { staff, account, may } = tools
  if (!may('delete_user_data') || account.deletion_requested_at !== null) return null
  const isMember = account.user_id !== null && account.outranks
  const forms = [
    account.suspended_at !== null && confirmedForm(tools, 'purge'),
    isMember && !account.memorial && confirmedForm(tools, 'memorialize'),
    account.domain === null && account.outranks && resetForm(tools),
    isMember && account.suspended_at === null && moveForm(tools),
    account.domain !== null && mergeForm(tools),
    isMember && confirmedForm(tools, 'delete'),
  ].filter(content => content !== false)
  return forms.length > 0 && disclosure(staff.t('accounts.forever'), forms)
}
