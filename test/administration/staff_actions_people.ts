import { NO_API, type StaffAction } from './staff_action.ts'
import { member, nothing, pending, report, row, unconfirmed, type Make } from './staff_actions_world.ts'

const KEY = 'avatars/00/00/0000000000000000000000000000.png'
const A = '/api/v1/admin/accounts/:id'
const P = '/admin/accounts/:id'
const Q = '/admin/reports/:id'

/** An action on an account, and what undoes it. */
const limit = (action: string, reversal: string, columns: Record<string, unknown>, user = {}): StaffAction[] => [
  {
    does: `${action} an account`,
    logs: `${action} ${action === 'disable' ? 'User' : 'Account'}`,
    make: member(),
    api: [[`POST ${A}/action`, { type: action }]],
    page: [[`POST ${P}/action`, { type: action }]],
    ctl: [
      `moderation act :username ${action}`,
      ...(action === 'suspend' ? ['accounts suspend :username'] : []),
      ...(action === 'disable' ? ['accounts modify :username --disable'] : []),
    ],
  },
  {
    does: `${reversal} an account`,
    logs: `${reversal} ${action === 'disable' ? 'User' : 'Account'}`,
    make: member({ account: columns, user }),
    api: [`POST ${A}/${reversal}`],
    page: [`POST ${P}/${reversal}`],
    ctl: [
      `moderation undo :username ${reversal}`,
      ...(action === 'suspend' ? ['accounts unsuspend :username'] : []),
      ...(action === 'disable' ? ['accounts modify :username --enable'] : []),
    ],
  },
]

/** Somebody with a subscriber by e-mail. */
const subscribed: Make = async world => {
  const found = await member()(world)
  await row(
    world,
    `insert into email_subscriptions (account_id, email, confirmed_at) values ($1, 'reader@example.com', now())`,
    [found['id']],
  )
  return found
}

/** Somebody with another account that names the first as an alias. */
const aliased: Make = async world => {
  const [found, other] = [await member()(world), await member()(world)]
  await row(world, 'insert into account_aliases (account_id, alias_account_id) values ($1, $2)', [
    other['id'],
    found['id'],
  ])
  return { ...found, target: other['username'] ?? '' }
}

/** The actions on accounts and their logins. */
export const peopleActions: readonly StaffAction[] = [
  ...limit('disable', 'enable', {}, { disabled: true }),
  ...limit('sensitive', 'unsensitive', { sensitized_at: new Date() }),
  ...limit('silence', 'unsilence', { silenced_at: new Date() }),
  ...limit('suspend', 'unsuspend', { suspended_at: new Date() }),
  {
    does: 'warn an account',
    logs: 'create AccountWarning',
    make: member(),
    api: [[`POST ${A}/action`, { type: 'none', text: 'x' }]],
    page: [[`POST ${P}/action`, { type: 'none', text: 'x' }]],
    ctl: ['moderation act :username none --text x'],
  },
  {
    does: 'act on a reported account',
    logs: 'resolve Report',
    make: report(),
    page: [[`POST ${Q}/action`, { type: 'silence' }]],
    because: { api: 'the action on an account names the report', ctl: 'the action on an account names the report' },
  },
  {
    does: 'approve a sign-up',
    logs: 'approve User',
    make: pending,
    api: [`POST ${A}/approve`],
    page: [`POST ${P}/approve`, ['POST /admin/accounts/batch', { change: 'approve', ids: ':id' }]],
    ctl: ['accounts approve :username', 'accounts modify :username --approve'],
  },
  {
    does: 'reject a sign-up',
    logs: 'reject User',
    make: pending,
    api: [`POST ${A}/reject`],
    page: [`POST ${P}/reject`],
    ctl: ['accounts reject :username'],
  },
  {
    does: 'delete the data of a suspended account',
    logs: 'purge Account',
    make: member({ account: { suspended_at: new Date() } }),
    api: [`DELETE ${A}`],
    page: [[`POST ${P}/purge`, { sure: '1' }]],
    ctl: ['accounts purge :username'],
  },
  {
    does: 'delete an account',
    logs: 'destroy Account',
    make: member(),
    page: [[`POST ${P}/delete`, { sure: '1' }]],
    ctl: ['accounts delete :username'],
    because: { api: NO_API },
  },
  {
    does: 'memorialize an account',
    logs: 'memorialize Account',
    make: member(),
    page: [[`POST ${P}/memorialize`, { sure: '1' }]],
    ctl: ['accounts memorialize :username'],
    because: { api: NO_API },
  },
  ...(['avatar', 'header'] as const).map((kind): StaffAction => ({
    does: `remove the ${kind}`,
    logs: `remove_${kind} Account`,
    make: member({ account: { [kind]: { key: KEY, static_key: KEY, type: 'image/png' } } }),
    page: [`POST ${P}/remove_${kind}`],
    ctl: [`accounts remove-picture :username ${kind}`],
    because: { api: NO_API },
  })),
  ...(
    [
      ['confirm', 'accounts modify :username --confirm'],
      ['resend', 'accounts resend :username'],
      ['reset_password', 'accounts modify :username --reset-password'],
      ['disable_2fa', 'accounts modify :username --disable-2fa'],
    ] as const
  ).map(([action, command]): StaffAction => ({
    does: `${action} of a login`,
    logs: `${action} User`,
    make: unconfirmed,
    page: [[`POST ${P}/${action}`, { sure: '1' }]],
    ctl: [command],
    because: { api: NO_API },
  })),
  {
    does: 'change an e-mail address',
    logs: 'change_email User',
    make: member(),
    page: [[`POST ${P}/email`, { email: ':unique@example.com' }]],
    ctl: ['accounts modify :username --email :unique@example.com'],
    because: { api: NO_API },
  },
  {
    does: 'remove the subscribers by e-mail',
    logs: 'destroy EmailSubscription',
    make: subscribed,
    page: [`POST ${P}/remove_email_subscribers`],
    ctl: ['email-subscriptions remove :username --all'],
    because: { api: NO_API },
  },
  {
    does: 'change a role',
    logs: 'change_role User',
    make: member(),
    page: [[`POST ${P}/role`, { role_id: '1' }]],
    ctl: ['accounts modify :username --role Moderator'],
    because: { api: NO_API },
  },
  {
    does: 'create an account',
    logs: 'create User',
    make: nothing,
    page: [['POST /admin/accounts', { username: ':unique', email: ':unique@example.com' }]],
    ctl: ['accounts create :unique --email :unique@example.com --confirmed'],
    because: { api: NO_API },
  },
  {
    does: 'request an archive',
    logs: 'backup User',
    make: member(),
    page: [`POST ${P}/backup`],
    ctl: ['accounts backup :username'],
    because: { api: NO_API },
  },
  {
    does: 'let all accounts follow somebody',
    logs: 'follow_all Account',
    make: member(),
    page: [[`POST ${P}/follow_all`, { sure: '1' }]],
    ctl: ['accounts follow :username'],
    because: { api: NO_API },
  },
  {
    does: 'let no account follow somebody',
    logs: 'unfollow_all Account',
    make: member(),
    page: [[`POST ${P}/unfollow_all`, { sure: '1' }]],
    ctl: ['accounts unfollow :username'],
    because: { api: NO_API },
  },
  {
    does: 'end the follows by an account and of it',
    logs: 'reset_relationships Account',
    make: member(),
    page: [[`POST ${P}/reset_relationships`, { follows: '1', followers: '1', sure: '1' }]],
    ctl: ['accounts reset-relationships :username --follows --followers'],
    because: { api: NO_API },
  },
  {
    does: 'move an account',
    logs: 'migrate Account',
    make: aliased,
    page: [[`POST ${P}/move`, { target: ':target', sure: '1' }]],
    ctl: ['accounts migrate :username --target :target'],
    because: { api: NO_API },
  },
]
