import type { Id } from '../../core/id.ts'
import {
  deactivateInvites,
  findInviter,
  issueInvite,
  LIFETIMES,
  listIssuedInvites,
  MAX_USES,
  type IssuedInvite,
} from '../../auth/sign_up/invites/index.ts'
import { requireRank } from '../../moderation/index.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import {
  actionButton,
  badge,
  batch,
  checkbox,
  disclosure,
  field,
  form,
  select,
  submit,
  facts,
  filterLinks,
  hidden,
  href,
  html,
  linkButton,
  pageLinks,
  time,
  type Html,
} from '../../platform/ui/index.ts'
import { hasPermission } from '../../core/permissions.ts'
import { staffBatch, staffForm, staffView, type Staff, type StaffPage } from '../index.ts'

const permissions = ['manage_invites'] as const
const PATH = '/admin/invites'
const PAGE_SIZE = 50
const MAX_COMMENT_CHARACTERS = 420
/** The default lifetime in the form. */
const ONE_DAY_SECONDS = '86400'
const STATES = ['all', 'available', 'expired'] as const
type State = (typeof STATES)[number]

const USABLE_BY_STATE: Readonly<Record<State, boolean | null>> = { all: null, available: true, expired: false }

/** The form that creates an invite on behalf of a user; `username` is the submitted one. */
function inviteForm({ t, webSession }: Staff, username: string, alert: string | undefined): Html {
  const uses = MAX_USES.map(count => [String(count), String(count)] as const)
  const lifetimes = [...LIFETIMES].map(([seconds, key]) => [String(seconds), t(key)] as const)
  return disclosure(
    t('invites_area.new'),
    form({ action: PATH, csrfToken: webSession.csrfToken() }, [
      field({
        label: t('invites_area.user'),
        name: 'username',
        value: username,
        required: true,
        verbatim: true,
        hint: t('invites_area.user_hint'),
        errors: alert === undefined ? undefined : [alert],
      }),
      select({
        label: t('invites.max_uses'),
        name: 'max_uses',
        choices: [['', t('invites.unlimited')], ...uses],
        value: '',
      }),
      select({
        label: t('invites.expires_in'),
        name: 'expires_in',
        choices: [['', t('invites.never')], ...lifetimes],
        value: ONE_DAY_SECONDS,
      }),
      checkbox({ label: t('invites_area.autofollow'), name: 'autofollow', required: false }),
      field({ label: t('invites_area.comment'), name: 'comment', maxLength: MAX_COMMENT_CHARACTERS }),
      submit(t('invites.create')),
    ]),
    alert !== undefined,
  )
}

async function listPage(
  staff: Staff,
  state: State,
  before: Id | undefined,
  username = '',
  alert?: string,
): Promise<StaffPage> {
  const { context, viewer, t, translator, webSession } = staff
  const limit = PAGE_SIZE + 1
  const rows = await listIssuedInvites(context.database, {
    usable: USABLE_BY_STATE[state],
    before: before ?? null,
    limit,
  })
  const page = rows.slice(0, PAGE_SIZE)
  const statePath = (part: State): string => href(PATH, { state: part === 'all' ? '' : part })
  const csrfToken = webSession.csrfToken()
  return {
    title: t('invites_area.title'),
    navigationPath: PATH,
    scripts: ['/assets/batch.js'],
    actions: hasPermission(viewer, 'invite_users') && linkButton('/invites', t('invites_area.own')),
    body: [
      inviteForm(staff, username, alert),
      filterLinks(
        t('invites_area.state'),
        STATES.map(part => ({ target: statePath(part), label: t(`invites_area.${part}`), current: part === state })),
      ),
      batch({
        action: `${PATH}/batch`,
        csrfToken,
        translator,
        buttons:
          state === 'expired' ? [] : [{ value: 'deactivate', label: t('invites_area.deactivate'), kind: 'danger' }],
        fields: hidden('back', statePath(state)),
        items: page.map(invite => ({ value: invite.id, name: invite.code, content: inviteEntry(staff, invite) })),
        empty: t('invites_area.empty'),
      }),
      pageLinks(translator, {
        newer: before === undefined ? undefined : statePath(state),
        older:
          rows.length > PAGE_SIZE
            ? href(PATH, { state: state === 'all' ? '' : state, max_id: page.at(-1)?.id })
            : undefined,
      }),
      state !== 'expired' &&
        page.length > 0 &&
        actionButton({
          action: `${PATH}/deactivate_all`,
          csrfToken,
          label: t('invites_area.deactivate_all'),
          kind: 'danger',
        }),
    ],
  }
}

function inviteEntry({ context, t, translator }: Staff, invite: IssuedInvite): Html {
  const { code, username, account_id: account, uses, max_uses: maxUses, usable } = invite
  return html`<p>
      <span class="code whole">${context.config.publicUrl}/invite/${code}</span>
      ${badge(t(usable === true ? 'invites_area.available' : 'invites_area.expired'), usable === true ? 'good' : 'neutral')}
    </p>
    ${facts([
      [t('invites_area.by'), html`<a href="/admin/accounts/${account}">@${username}</a>`],
      [t('invites_area.uses'), `${uses} / ${maxUses ?? '∞'}`],
      [t('invites_area.expires_at'), invite.expires_at ? time(invite.expires_at, translator) : t('invites_area.never')],
      [t('invites_area.comment'), invite.comment],
    ])}`
}

const showInvites = staffView({
  path: PATH,
  summary: 'List the invites of all users',
  permissions,
  params: { state: param.enumeration(STATES, { default: 'all', fallback: 'all' }), max_id: param.cursor() },
  show: ({ state, max_id: before }, staff) => listPage(staff, state, before),
})

/** The number that the form offers; null for anything else, such as an empty choice. */
const parseChoice = (text: string, choices: Iterable<number>): number | null =>
  [...choices].find(number => String(number) === text) ?? null

const createInviteForUser = staffForm({
  path: PATH,
  summary: 'Create an invite on behalf of a user',
  permissions,
  params: {
    username: param.string({ default: '', trim: true }),
    max_uses: param.string({ default: '' }),
    expires_in: param.string({ default: '' }),
    autofollow: param.boolean({ default: false }),
    comment: param.string({ default: '', trim: true, max: MAX_COMMENT_CHARACTERS }),
  },
  async act({ username, max_uses: uses, expires_in: lifetime, autofollow, comment }, staff) {
    const { context, viewer, t } = staff
    const user = await findInviter(context.database, username.replace(/^@/, ''))
    if (user === undefined) return listPage(staff, 'all', undefined, username, t('invites_area.unknown_user'))
    // The role of the user decides whether those who are invited need approval.
    if (user.account_id !== viewer.id) await requireRank(context.database, viewer.id, user.account_id, permissions)
    await issueInvite(context.database, viewer.id, user.id, {
      maxUses: parseChoice(uses, MAX_USES),
      lifetimeSeconds: parseChoice(lifetime, LIFETIMES.keys()),
      autofollow,
      comment: comment === '' ? null : comment,
    })
    return { to: PATH, notice: t('invites_area.made') }
  },
})

const deactivateSelected = staffBatch({
  path: `${PATH}/batch`,
  summary: 'Deactivate the selected invites',
  permissions,
  changes: ['deactivate'],
  list: PATH,
  act: (_, ids, { context, viewer }) => deactivateInvites(context.database, viewer.id, ids),
})

const deactivateAll = staffForm({
  path: `${PATH}/deactivate_all`,
  summary: 'Deactivate all invites of this server',
  permissions,
  params: {},
  async act(_, { context, viewer, t }) {
    const count = await deactivateInvites(context.database, viewer.id, null)
    return { to: PATH, notice: t('staff.batch.done', { count }) }
  },
})

export const operations: readonly AnyOperation[] = [showInvites, createInviteForUser, deactivateSelected, deactivateAll]
