import { NO_API, type StaffAction } from './staff_action.ts'
import {
  appeal,
  failedJob,
  inserted,
  link,
  member,
  note,
  nothing,
  pending,
  publisher,
  report,
  reportedStatus,
  row,
  status,
  tag,
  unconfirmed,
  type Make,
} from './staff_actions_world.ts'

const KEY = 'avatars/00/00/0000000000000000000000000000.png'
const A = '/api/v1/admin/accounts/:id'
const P = '/admin/accounts/:id'
const R = '/api/v1/admin/reports/:id'
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

const accounts: readonly StaffAction[] = [
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
    ctl: ['accounts delete :username'],
    because: { api: NO_API, page: 'moderators suspend first, which can be undone, and then delete the data' },
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
    page: [`POST ${P}/${action}`],
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
    ctl: ['accounts create :unique --email :unique@example.com --confirmed'],
    because: { api: NO_API, page: 'people sign up with an invite and choose their own password' },
  },
  {
    does: 'request an archive',
    logs: 'backup User',
    make: member(),
    ctl: ['accounts backup :username'],
    because: { api: NO_API, page: 'people request their own archive; the operator helps those who cannot sign in' },
  },
  {
    does: 'let all accounts follow somebody',
    logs: 'follow_all Account',
    make: member(),
    ctl: ['accounts follow :username'],
    because: {
      api: NO_API,
      page: 'it changes what everybody reads; the page of follow recommendations is for newcomers',
    },
  },
  {
    does: 'let no account follow somebody',
    logs: 'unfollow_all Account',
    make: member(),
    ctl: ['accounts unfollow :username'],
    because: {
      api: NO_API,
      page: 'a limited or suspended account is out of sight, and its follows come back afterwards',
    },
  },
]

const reports: readonly StaffAction[] = [
  {
    does: 'resolve a report',
    logs: 'resolve Report',
    make: report(),
    api: [`POST ${R}/resolve`],
    page: [`POST ${Q}/resolve`],
    ctl: ['reports resolve :id'],
  },
  {
    does: 'reopen a report',
    logs: 'reopen Report',
    make: report('action_taken_at = now()'),
    api: [`POST ${R}/reopen`],
    page: [`POST ${Q}/reopen`],
    ctl: ['reports reopen :id'],
  },
  {
    does: 'assign a report',
    logs: 'assigned_to_self Report',
    make: report(),
    api: [`POST ${R}/assign_to_self`],
    page: [`POST ${Q}/assign_to_self`],
    ctl: ['reports assign :id :owner'],
  },
  {
    does: 'unassign a report',
    logs: 'unassigned Report',
    make: report('assigned_account_id = account_id'),
    api: [`POST ${R}/unassign`],
    page: [`POST ${Q}/unassign`],
    ctl: ['reports unassign :id'],
  },
  {
    does: 'categorize a report',
    logs: 'update Report',
    make: report(),
    api: [
      [`PUT ${R}`, { category: 'spam' }],
      [`PATCH ${R}`, { category: 'spam' }],
    ],
    page: [[`POST ${Q}/category`, { category: 'spam' }]],
    ctl: ['reports categorize :id spam'],
  },
  {
    does: 'delete statuses, with a strike',
    logs: 'create AccountWarning',
    make: reportedStatus,
    page: [[`POST ${Q}/statuses`, { change: 'delete_statuses', status_ids: ':status' }]],
    ctl: ['moderation statuses :username delete_statuses :status --report :id'],
    because: { api: NO_API },
  },
  {
    does: 'delete statuses without a report, with a strike',
    logs: 'create AccountWarning',
    make: async world => {
      const { id = '', account = '' } = await status(world)
      return { id: account, status: id }
    },
    page: [[`POST ${P}/statuses/batch`, { change: 'delete_statuses', status_ids: ':status' }]],
    because: { api: NO_API, ctl: 'the command for statuses of a report, without `--report`' },
  },
  {
    does: 'act on one status',
    logs: 'create AccountWarning',
    make: status,
    page: [['POST /admin/statuses/:id/action', { change: 'delete_statuses' }]],
    because: { api: NO_API, ctl: 'the command for several statuses', unwalked: 'test/administration/status_pages' },
  },
  ...(['account', 'report'] as const).flatMap((kind): StaffAction[] => [
    {
      does: `add a note about an ${kind}`,
      logs: 'create Note',
      make: kind === 'account' ? member() : report(),
      page: [[`POST /admin/${kind}s/:id/notes`, { content: 'x' }]],
      ctl: [kind === 'account' ? 'notes add account :username x' : 'notes add report :id x'],
      because: { api: NO_API },
    },
    {
      does: `delete a note about an ${kind}`,
      logs: 'destroy Note',
      make: note(kind),
      page: [`DELETE /admin/${kind}s/:id/notes/:note`],
      ctl: ['notes delete :note'],
      because: { api: NO_API },
    },
  ]),
  ...(['approve', 'reject'] as const).map((decision): StaffAction => ({
    does: `${decision} an appeal`,
    logs: `${decision} Appeal`,
    make: appeal,
    page: [`POST /admin/disputes/appeals/:id/${decision}`],
    ctl: [`appeals ${decision} :id`],
    because: { api: NO_API },
  })),
]

const T = '/api/v1/admin/trends'
const trends: readonly StaffAction[] = [
  ...(
    [
      ['tags', 'tags', tag, 'tag :name', 'Tag'],
      ['links', 'links', link, 'link :url', 'PreviewCard'],
      ['links/publishers', 'publishers', publisher, 'publisher :domain', 'LinkPublisher'],
      ['statuses', 'statuses', status, 'status :id', 'Status'],
    ] as const
  ).flatMap(([place, list, make, name, type]) =>
    (['approve', 'reject'] as const).map((decision): StaffAction => ({
      does: `${decision} a trend: ${place}`,
      logs: `${decision === 'approve' ? 'allow' : 'forbid'}_trends ${type}`,
      make,
      api: [`POST ${T}/${place}/:id/${decision}`],
      page: [[`POST /admin/trends/${list}/batch`, { change: decision, ids: ':id' }]],
      ctl: [`trends ${decision} ${name}`],
    })),
  ),
  {
    does: 'approve the statuses of an author',
    logs: 'allow_trends Account',
    make: status,
    page: [['POST /admin/trends/statuses/batch', { change: 'approve_parent', ids: ':id' }]],
    ctl: ['trends approve account :username'],
    because: { api: NO_API },
  },
  {
    does: 'review a hashtag',
    logs: 'update Tag',
    make: tag,
    api: [
      ['PUT /api/v1/admin/tags/:id', { usable: 'false' }],
      ['PATCH /api/v1/admin/tags/:id', { usable: 'false' }],
    ],
    page: [['PUT /admin/tags/:id', { display_name: ':name', listable: '1' }]],
    ctl: ['tags modify :name --no-usable'],
  },
]

const blocked = (table: string, columns: string, values: string) =>
  inserted(`insert into ${table} (${columns}) values (${values}) returning *`)
const ipBlock = inserted(
  `insert into ip_blocks (ip, severity) values (('10.' || (random() * 255)::int || '.' || (random() * 255)::int || '.1')::cidr, 'sign_up_block')
   returning id, host(ip) as ip`,
)
const freeIp = inserted(
  `select '11.' || (random() * 255)::int || '.' || (random() * 255)::int || '.' || (random() * 255)::int as ip`,
)
const domainRule = blocked('domain_blocks', 'domain, severity', `'UNIQUE.example', 'noop'`)
const emailDomain = blocked('email_domain_blocks', 'domain', `'UNIQUE.example'`)
const emailAddress = inserted(
  `insert into canonical_email_blocks (canonical_email_hash) values (canonical_email_hash('UNIQUE@example.com'))
   returning id, 'UNIQUE@example.com' as email`,
)
const username = blocked('username_blocks', 'username, exact', `'UNIQUE', true`)
const allowed = blocked('domain_allows', 'domain', `'UNIQUE.example'`)

const blocks: readonly StaffAction[] = [
  {
    does: 'add a domain rule',
    logs: 'create DomainBlock',
    make: nothing,
    api: [['POST /api/v1/admin/domain_blocks', { domain: ':unique.example' }]],
    page: [['POST /admin/domain_blocks', { domain: ':unique.example', severity: 'silence' }]],
    ctl: ['domains block :unique.example'],
  },
  {
    does: 'change a domain rule',
    logs: 'update DomainBlock',
    make: domainRule,
    api: [
      ['PUT /api/v1/admin/domain_blocks/:id', { severity: 'silence' }],
      ['PATCH /api/v1/admin/domain_blocks/:id', { severity: 'silence' }],
    ],
    page: [['PUT /admin/domain_blocks/:id', { severity: 'silence' }]],
    ctl: ['domains change :domain --severity silence'],
  },
  {
    does: 'remove a domain rule',
    logs: 'destroy DomainBlock',
    make: domainRule,
    api: ['DELETE /api/v1/admin/domain_blocks/:id'],
    page: [['POST /admin/domain_blocks/batch', { change: 'delete', ids: ':id' }]],
    ctl: ['domains unblock :domain'],
  },
  {
    does: 'allow a domain',
    logs: 'create DomainAllow',
    make: nothing,
    api: [['POST /api/v1/admin/domain_allows', { domain: ':unique.example' }]],
    page: [['POST /admin/domain_allows', { domain: ':unique.example' }]],
    ctl: ['domains allow :unique.example'],
  },
  {
    does: 'disallow a domain',
    logs: 'destroy DomainAllow',
    make: allowed,
    api: ['DELETE /api/v1/admin/domain_allows/:id'],
    page: [['POST /admin/domain_allows/batch', { change: 'delete', ids: ':id' }]],
    ctl: ['domains disallow :domain'],
  },
  {
    does: 'import domain rules',
    logs: 'create DomainBlock',
    make: async world => ({ ...(await nothing(world)) }),
    page: [
      'POST /admin/domain_blocks/import',
      'POST /admin/domain_blocks/import/confirm',
      'POST /admin/domain_allows/import',
      'POST /admin/domain_allows/import/confirm',
    ],
    ctl: ['domains import :file'],
    because: { api: NO_API, unwalked: 'test/administration/domain_rules and test/cli/parity.test.ts' },
  },
  {
    does: 'purge a domain',
    logs: 'purge Domain',
    make: nothing,
    ctl: ['domains purge :unique.example'],
    because: { api: NO_API, page: 'suspending a domain removes its accounts and emojis, and keeps them away' },
  },
  {
    does: 'block an e-mail domain',
    logs: 'create EmailDomainBlock',
    make: nothing,
    api: [['POST /api/v1/admin/email_domain_blocks', { domain: ':unique.example' }]],
    page: [['POST /admin/email_domain_blocks', { domain: ':unique.example' }]],
    ctl: ['email_domain_blocks add :unique.example'],
  },
  {
    does: 'unblock an e-mail domain',
    logs: 'destroy EmailDomainBlock',
    make: emailDomain,
    api: ['DELETE /api/v1/admin/email_domain_blocks/:id'],
    page: [['POST /admin/email_domain_blocks/batch', { change: 'delete', ids: ':id' }]],
    ctl: ['email_domain_blocks remove :domain'],
  },
  {
    does: 'block an e-mail address',
    logs: 'create CanonicalEmailBlock',
    make: nothing,
    api: [['POST /api/v1/admin/canonical_email_blocks', { email: ':unique@example.com' }]],
    page: [['POST /admin/canonical_email_blocks', { email: ':unique@example.com' }]],
    ctl: ['canonical_email_blocks add :unique@example.com'],
  },
  {
    does: 'unblock an e-mail address',
    logs: 'destroy CanonicalEmailBlock',
    make: emailAddress,
    api: ['DELETE /api/v1/admin/canonical_email_blocks/:id'],
    page: [['POST /admin/canonical_email_blocks/batch', { change: 'delete', ids: ':id' }]],
    ctl: ['canonical_email_blocks remove :email'],
  },
  {
    does: 'test an e-mail address',
    api: ['POST /api/v1/admin/canonical_email_blocks/test'],
    because: {
      page: 'a button of the form that blocks an address',
      ctl: 'canonical_email_blocks find',
      logs: 'it only reads',
    },
  },
  {
    does: 'make a rule about a network',
    logs: 'create IpBlock',
    make: freeIp,
    api: [['POST /api/v1/admin/ip_blocks', { ip: ':ip', severity: 'sign_up_block' }]],
    page: [['POST /admin/ip_blocks', { ip: ':ip', severity: 'sign_up_block' }]],
    ctl: ['ip_blocks add :ip --severity sign_up_block'],
  },
  {
    does: 'change a rule about a network',
    logs: 'update IpBlock',
    make: ipBlock,
    api: [
      ['PUT /api/v1/admin/ip_blocks/:id', { severity: 'sign_up_requires_approval' }],
      ['PATCH /api/v1/admin/ip_blocks/:id', { severity: 'sign_up_requires_approval' }],
    ],
    page: [['PUT /admin/ip_blocks/:id', { ip: ':ip', severity: 'sign_up_requires_approval' }]],
    because: { ctl: '`ip_blocks add --force` replaces the rule' },
  },
  {
    does: 'remove a rule about a network',
    logs: 'destroy IpBlock',
    make: ipBlock,
    api: ['DELETE /api/v1/admin/ip_blocks/:id'],
    page: [['POST /admin/ip_blocks/batch', { change: 'delete', ids: ':id' }]],
    ctl: ['ip_blocks remove :ip'],
  },
  {
    does: 'block a username',
    logs: 'create UsernameBlock',
    make: nothing,
    page: [['POST /admin/username_blocks', { username: ':unique' }]],
    ctl: ['username_blocks add :unique'],
    because: { api: NO_API },
  },
  {
    does: 'change the block of a username',
    logs: 'update UsernameBlock',
    make: username,
    page: [['PUT /admin/username_blocks/:id', { username: ':username', allow_with_approval: '1' }]],
    ctl: ['username_blocks modify :username --allow-with-approval'],
    because: { api: NO_API },
  },
  {
    does: 'unblock a username',
    logs: 'destroy UsernameBlock',
    make: username,
    page: [['POST /admin/username_blocks/batch', { change: 'delete', ids: ':id' }]],
    ctl: ['username_blocks remove :username'],
    because: { api: NO_API },
  },
]

const jobs: readonly StaffAction[] = (['retry', 'delete'] as const).map(change => ({
  does: `${change} jobs`,
  logs: `${change === 'retry' ? 'retry' : 'destroy'} Job`,
  make: failedJob,
  page: [['POST /admin/jobs/batch', { change, ids: ':id' }]],
  ctl: [`jobs ${change} :id`],
  because: { api: NO_API },
}))

/** The actions on people, posts, reports, trends and blocks, and on jobs. */
export const moderationActions: readonly StaffAction[] = [...accounts, ...reports, ...trends, ...blocks, ...jobs]
