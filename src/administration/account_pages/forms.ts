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
import type { AccountFacts } from './find.ts'

type ButtonKind = 'primary' | 'plain' | 'danger'

interface Tools {
  readonly staff: Staff
  readonly found: AccountFacts
  may(name: Permission): boolean
  /** A form that is only a button. */
  button(action: string, label: TextKey, kind?: ButtonKind, method?: 'delete'): Html
  /** A form with fields below the account's path. */
  at(action: string, content: Content): Html
}

/** The actions that the viewer may take on an account, by subject. */
export async function accountForms(staff: Staff, found: AccountFacts): Promise<Content> {
  const { webSession, viewer, t } = staff
  const path = `/admin/accounts/${found.id}`
  const tools: Tools = {
    staff,
    found,
    may: name => hasPermission(viewer, name),
    button: (action, label, kind = 'plain', method) =>
      actionButton({
        action: `${path}/${action}`,
        csrfToken: webSession.csrfToken(),
        label: t(label),
        kind,
        ...(method && { method }),
      }),
    at: (action, content) => form({ action: `${path}/${action}`, csrfToken: webSession.csrfToken() }, content),
  }
  const parts = [
    signUp(tools),
    reversals(tools),
    found.outranks && (await strikeForm(tools)),
    found.outranks && removals(tools),
    found.outranks && access(tools),
    await roleForm(tools),
    followers(tools),
    ending(tools),
  ].filter(part => part !== false && part !== null)
  return section(
    'actions',
    t('accounts.actions'),
    parts.length > 0 ? parts : html`<p class="quiet">${t('accounts.outranked')}</p>`,
  )
}

function signUp({ found, button }: Tools): Content {
  if (found.user_id === null || found.approved) return null
  return html`<div class="buttons">
    ${button('approve', 'accounts.batch.approve', 'primary')} ${button('reject', 'accounts.batch.reject', 'danger')}
  </div>`
}

function reversals({ found, button }: Tools): Content {
  const buttons = [
    found.suspended_at !== null && button('unsuspend', 'accounts.unsuspend'),
    found.silenced_at !== null && button('unsilence', 'accounts.unsilence'),
    found.sensitized_at !== null && button('unsensitive', 'accounts.unsensitive'),
    found.disabled && button('enable', 'accounts.enable'),
  ].filter(one => one !== false)
  return buttons.length > 0 && html`<div class="buttons spaced">${buttons}</div>`
}

const strikeForm = async ({ staff, found, at }: Tools): Promise<Content> =>
  at('action', await strikeFields(staff, found))

/** The fields for taking action on an account: the action, the message, and whether it is sent. */
export async function strikeFields({ context, t }: Staff, found: AccountFacts): Promise<Content> {
  const actions = [
    'none' as const,
    found.user_id !== null && !found.disabled && ('disable' as const),
    found.sensitized_at === null && ('sensitive' as const),
    found.silenced_at === null && ('silence' as const),
    found.suspended_at === null && ('suspend' as const),
  ].filter(one => one !== false)
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
    found.user_id !== null && checkbox({ label: t('accounts.notify'), name: 'notify', required: false, checked: true }),
    submit(t('accounts.act_submit'), 'danger'),
  ]
}

/** Removes what an account shows or keeps. */
function removals({ found, button }: Tools): Content {
  const buttons = [
    found.has_avatar && button('remove_avatar', 'accounts.remove_avatar'),
    found.has_header && button('remove_header', 'accounts.remove_header'),
    found.email_subscribers > 0 && button('remove_email_subscribers', 'accounts.remove_email_subscribers', 'danger'),
  ].filter(one => one !== false)
  return buttons.length > 0 && html`<div class="buttons spaced">${buttons}</div>`
}

function access({ staff: { t }, found, may, button, at }: Tools): Content {
  if (found.user_id === null || !may('manage_user_access')) return null
  const change = at('email', [
    field({
      label: t('accounts.new_email'),
      name: 'email',
      type: 'email',
      value: found.unconfirmed_email ?? found.email ?? '',
      required: true,
      verbatim: true,
      hint: t('accounts.new_email_hint'),
    }),
    submit(t('accounts.change_email'), 'plain'),
  ])
  const waits = !found.confirmed || found.unconfirmed_email !== null
  return disclosure(t('accounts.access'), [
    change,
    html`<div class="buttons">
      ${waits && [button('confirm', 'accounts.confirm'), button('resend', 'accounts.resend')]}
      ${button('reset_password', 'accounts.reset_password', 'danger')}
      ${found.second_factor && button('disable_2fa', 'accounts.disable_2fa', 'danger')}
    </div>`,
    html`<p>${t('accounts.backup_hint')}</p>
      <div class="buttons">${button('backup', 'accounts.backup')}</div>`,
  ])
}

async function roleForm({ staff: { context, viewer, t }, found, may, at }: Tools): Promise<Content> {
  if (found.user_id === null || !found.outranks || !may('manage_roles')) return null
  const roles = await listRoles(context.database)
  return disclosure(
    t('accounts.role'),
    at('role', [
      select({
        label: t('accounts.role'),
        name: 'role_id',
        choices: roles
          .filter(({ id, position }) => id === BASE_ROLE || position <= viewer.rolePosition)
          .map(({ id, name }) => [id === BASE_ROLE ? '' : id, id === BASE_ROLE ? t('accounts.no_role') : name]),
        value: found.role_id ?? '',
      }),
      submit(t('accounts.change_role'), 'plain'),
    ]),
  )
}

/** A form that needs a ticked box: it cannot be undone, or changes much. */
function sureForm({ staff: { t }, at }: Tools, action: Sure, kind: ButtonKind = 'danger'): Html {
  return at(action, [
    html`<p>${t(`accounts.${action}_hint`)}</p>`,
    checkbox({ id: `${action}_sure`, label: t('accounts.sure'), name: 'sure' }),
    submit(t(`accounts.${action}`), kind),
  ])
}

type Sure = 'purge' | 'delete' | 'memorialize' | 'follow_all' | 'unfollow_all'

/** What makes everybody here follow the account, or nobody. */
function followers(tools: Tools): Content {
  const { found, may, staff } = tools
  if (!may('manage_settings') || found.deletion_requested_at !== null) return null
  const known = found.domain === null && found.suspended_at === null && found.approved
  return disclosure(staff.t('accounts.all_followers'), [
    known && sureForm(tools, 'follow_all', 'primary'),
    sureForm(tools, 'unfollow_all'),
  ])
}

/** Ends what connects a local account with others. */
const resetForm = ({ staff: { t }, at }: Tools): Html =>
  at('reset_relationships', [
    html`<p>${t('accounts.reset_relationships_hint')}</p>`,
    checkbox({ label: t('accounts.reset_follows'), name: 'follows', required: false }),
    checkbox({ label: t('accounts.reset_followers'), name: 'followers', required: false }),
    checkbox({ id: 'reset_sure', label: t('accounts.sure'), name: 'sure' }),
    submit(t('accounts.reset_relationships'), 'danger'),
  ])

/** Moves a local account for somebody who cannot do it. */
const moveForm = ({ staff: { t }, at }: Tools): Html =>
  at('move', [
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

/** Actions that cannot be undone. */
function ending(tools: Tools): Content {
  const { staff, found, may } = tools
  if (!may('delete_user_data') || found.deletion_requested_at !== null) return null
  const isMember = found.user_id !== null && found.outranks
  const forms = [
    found.suspended_at !== null && sureForm(tools, 'purge'),
    isMember && !found.memorial && sureForm(tools, 'memorialize'),
    found.domain === null && found.outranks && resetForm(tools),
    isMember && found.suspended_at === null && moveForm(tools),
    isMember && sureForm(tools, 'delete'),
  ].filter(one => one !== false)
  return forms.length > 0 && disclosure(staff.t('accounts.forever'), forms)
}
