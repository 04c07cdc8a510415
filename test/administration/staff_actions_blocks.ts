import { NO_API, type StaffAction } from './staff_action.ts'
import { inserted, nothing } from './staff_actions_world.ts'

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
const relay = (state: 'idle' | 'pending') =>
  inserted(
    `insert into relays (inbox_url, host, state, follow_uri)
     values ('https://UNIQUE.example/inbox', 'UNIQUE.example', '${state}', ${state === 'idle' ? 'null' : "'https://here.example/UNIQUE'"})
     returning id, inbox_url as inbox`,
  )
const allowed = blocked('domain_allows', 'domain', `'UNIQUE.example'`)

/** The rules about domains, addresses, networks and names. */
export const blockActions: readonly StaffAction[] = [
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
    page: [['POST /admin/instances/purge', { domain: ':unique.example', sure: '1' }]],
    ctl: ['domains purge :unique.example'],
    because: { api: NO_API },
  },
  {
    does: 'deliver to a server at once',
    logs: 'retry Job',
    make: inserted(`insert into delivery_hosts (host, failures) values ('UNIQUE.example', 1) returning host`),
    page: [['POST /admin/deliveries/retry', { host: ':host' }]],
    ctl: ['deliveries retry :host'],
    because: { api: NO_API },
  },
  {
    does: 'delete what waits for a server',
    logs: 'destroy Job',
    make: inserted(`insert into delivery_hosts (host, failures) values ('UNIQUE.example', 1) returning host`),
    page: [['POST /admin/deliveries/purge', { host: ':host' }]],
    ctl: ['deliveries purge :host'],
    because: { api: NO_API },
  },
  {
    does: 'add a relay',
    logs: 'create Relay',
    make: nothing,
    page: [['POST /admin/relays', { inbox_url: 'https://:unique.example/inbox' }]],
    ctl: ['relays add https://:unique.example/inbox'],
    because: { api: NO_API },
  },
  {
    does: 'enable a relay',
    logs: 'enable Relay',
    make: relay('idle'),
    page: ['POST /admin/relays/:id/enable'],
    ctl: ['relays enable :inbox'],
    because: { api: NO_API },
  },
  {
    does: 'disable a relay',
    logs: 'disable Relay',
    make: relay('pending'),
    page: ['POST /admin/relays/:id/disable'],
    ctl: ['relays disable :inbox'],
    because: { api: NO_API },
  },
  {
    does: 'delete a relay',
    logs: 'destroy Relay',
    make: relay('pending'),
    page: ['DELETE /admin/relays/:id'],
    ctl: ['relays remove :inbox'],
    because: { api: NO_API },
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
