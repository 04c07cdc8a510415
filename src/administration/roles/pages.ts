import { BASE_ROLE, listRoles, roleOf, type Role } from '../../auth/roles/index.ts'
import type { FieldErrors } from '../../auth/sign_up/index.ts'
import type { Id } from '../../core/id.ts'
import {
  BASE_PERMISSIONS,
  hasPermission,
  PERMISSION_CATEGORIES,
  PERMISSIONS,
  type Permission,
} from '../../core/permissions.ts'
import {
  actionButton,
  badge,
  choices,
  field,
  form,
  html,
  linkButton,
  section,
  submit,
  table,
  toggle,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { CATEGORIES, type Draft } from './draft.ts'

export const PATH = '/admin/roles'
const MAX_NAME_CHARACTERS = 255
const MAX_INTEGER = 2_147_483_647

const roleName = ({ t }: Staff, { id, name }: Role): string => (id === BASE_ROLE ? t('roles.everyone') : name)

/** The viewer's role, which limits what the viewer may change. */
export interface OwnRole {
  readonly id: Id
  readonly position: number
}

/** Whether a user with the role `own` may change a role: a lower one, or parts of their own. */
export const mayChange = (role: Role, own: OwnRole): boolean => role.id === own.id || role.position < own.position

/** The viewer's role. */
export async function findOwnRole({ context, viewer }: Staff): Promise<OwnRole> {
  const own = await roleOf(context.database, viewer.id)
  return own ?? { id: BASE_ROLE, position: viewer.rolePosition }
}

/** All roles, the highest first. */
export async function listPage(staff: Staff): Promise<StaffPage> {
  const { context, t } = staff
  const [roles, own] = await Promise.all([listRoles(context.database), findOwnRole(staff)])
  const rows = roles
    .toReversed()
    .map((role): Content[] => [
      roleName(staff, role),
      String(role.position),
      role.id === BASE_ROLE ? t('roles.all') : String(role.members),
      t('roles.permission_count', { count: permissionNames(Number(role.permissions)).size }),
      html`<div class="badges">
        ${role.highlighted && badge(t('roles.highlighted'))} ${role.require_2fa && badge(t('roles.require_2fa'))}
      </div>`,
      mayChange(role, own) ? linkButton(`${PATH}/${role.id}`, t('roles.edit')) : '',
    ])
  return {
    title: t('roles.title'),
    navigationPath: PATH,
    actions: linkButton(`${PATH}/new`, t('roles.new'), 'primary'),
    body: [
      html`<p>${t('roles.intro')}</p>`,
      table({
        caption: t('roles.title'),
        columns: [
          { label: t('roles.role') },
          { label: t('roles.position'), kind: 'number' },
          { label: t('roles.members'), kind: 'number' },
          { label: t('roles.permissions') },
          { label: t('roles.highlighted') },
          { label: t('roles.edit'), kind: 'actions' },
        ],
        rows,
        empty: '',
      }),
    ],
  }
}

/** The names of the permissions in a mask. */
const permissionNames = (mask: number): ReadonlySet<string> =>
  new Set(Object.entries(PERMISSIONS).flatMap(([name, bit]) => ((mask & bit) === 0 ? [] : [name])))

const toDraft = (role: Role): Draft => ({
  name: role.name,
  color: role.color,
  position: String(role.position),
  permissions: Number(role.permissions),
  highlighted: role.highlighted,
  require_2fa: role.require_2fa,
  collection_limit: String(role.collection_limit),
})

const EMPTY_DRAFT: Draft = {
  name: '',
  color: '',
  position: '0',
  permissions: 0,
  highlighted: false,
  require_2fa: false,
  collection_limit: '10',
}

/** The form of a role. */
export function rolePage(
  staff: Staff,
  role: Role | undefined,
  own: OwnRole,
  state: { readonly draft?: Draft; readonly errors?: FieldErrors } = {},
): StaffPage {
  const { t, webSession } = staff
  const draft = state.draft ?? (role ? toDraft(role) : EMPTY_DRAFT)
  const action = role ? `${PATH}/${role.id}` : PATH
  const isBase = role?.id === BASE_ROLE
  const isOwn = role?.id === own.id
  const body = form({ action, csrfToken: webSession.csrfToken(), ...(role && { method: 'put' }) }, [
    roleFields(staff, draft, state.errors ?? {}, isBase),
    permissionFields(staff, draft, state.errors ?? {}, isBase),
    submit(t('roles.save')),
  ])
  return {
    title: role ? `${t('roles.edit')}: ${roleName(staff, role)}` : t('roles.new'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('roles.title')]],
    body: [
      isBase && html`<p>${t('roles.everyone_intro')}</p>`,
      isOwn && !isBase && html`<p class="notice">${t('roles.own_intro')}</p>`,
      html`<div class="card section">${body}</div>`,
      role && !isBase && !isOwn && deletionSection(staff, action),
    ],
  }
}

const deletionSection = ({ t, webSession }: Staff, action: string): Html =>
  section('delete', t('roles.delete'), [
    html`<p>${t('roles.delete_intro')}</p>`,
    actionButton({
      action,
      method: 'delete',
      csrfToken: webSession.csrfToken(),
      label: t('roles.delete'),
      kind: 'danger',
    }),
  ])

function roleFields({ t }: Staff, draft: Draft, errors: FieldErrors, isBase: boolean): Content[] {
  return [
    !isBase && [
      field({
        label: t('roles.name'),
        name: 'role[name]',
        value: draft.name,
        required: true,
        maxLength: MAX_NAME_CHARACTERS,
        hint: t('roles.name_hint'),
        errors: errors['name'],
      }),
      field({
        label: t('roles.color'),
        name: 'role[color]',
        value: draft.color,
        maxLength: 7,
        verbatim: true,
        hint: t('roles.color_hint'),
        errors: errors['color'],
      }),
      field({
        label: t('roles.position'),
        name: 'role[position]',
        type: 'number',
        value: draft.position,
        min: -MAX_INTEGER,
        max: MAX_INTEGER,
        hint: t('roles.position_hint'),
        errors: errors['position'],
      }),
      toggle({
        label: t('roles.highlighted'),
        name: 'role[highlighted]',
        checked: draft.highlighted,
        hint: t('roles.highlighted_hint'),
      }),
    ],
    toggle({
      label: t('roles.require_2fa'),
      name: 'role[require_2fa]',
      checked: draft.require_2fa,
      hint: t('roles.require_2fa_hint'),
      errors: errors['require_2fa'],
    }),
    field({
      label: t('roles.collection_limit'),
      name: 'role[collection_limit]',
      type: 'number',
      value: draft.collection_limit,
      min: 0,
      max: MAX_INTEGER,
      hint: t('roles.collection_limit_hint'),
      errors: errors['collection_limit'],
    }),
  ]
}

function permissionFields({ t, viewer }: Staff, draft: Draft, errors: FieldErrors, isBase: boolean): Html {
  const granted = permissionNames(draft.permissions)
  // A permission that the viewer lacks is offered only if the role already has it.
  const isOffered = (name: Permission): boolean =>
    isBase ? (PERMISSIONS[name] & BASE_PERMISSIONS) !== 0 : hasPermission(viewer, name) || granted.has(name)
  const permissionErrors = errors['permissions'] ?? []
  return html`<h2 id="permissions">${t('roles.permissions')}</h2>
    ${permissionErrors.length > 0 && html`<p class="error" role="alert">${permissionErrors.join(', ')}</p>`}
    ${CATEGORIES.map(category => {
      const names = PERMISSION_CATEGORIES[category].filter(isOffered)
      if (names.length === 0) return null
      return choices({
        legend: t(`role_category.${category}`),
        name: `role[permissions][${category}]`,
        choices: names.map(name => [name, t(`permission.${name}`)] as const),
        chosen: granted,
      })
    })}`
}
