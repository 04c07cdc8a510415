import { NO_API, type StaffAction } from './staff_action.ts'
import { inserted, member, nothing } from './staff_actions_world.ts'

const T = 'POST /admin/tasks'
const because = { api: NO_API }

/** Two remote accounts with the same key. */
const twins = inserted(
  `with other as (
     insert into accounts (username, domain, uri, public_key) values ('UNIQUE', 'new.example', 'https://new.example/UNIQUE', 'key')
   )
   insert into accounts (username, domain, uri, public_key) values ('UNIQUE', 'old.example', 'https://old.example/UNIQUE', 'key')
   returning id, username`,
)

/** The removal of copies, and the upkeep of accounts of other servers and of keys. */
export const upkeepActions: readonly StaffAction[] = [
  {
    does: 'remove copies of files',
    logs: 'purge Media',
    make: nothing,
    page: [
      [`${T}/media`, { days: '9000', sure: '1' }],
      [`${T}/media`, { days: '9001', keep_interacted: '1', sure: '1' }],
      [`${T}/pictures`, { days: '9000', sure: '1' }],
      [`${T}/pictures`, { days: '9001', headers_only: '1', include_follows: '1', sure: '1' }],
    ],
    ctl: [
      'media remove --days 9000',
      'media remove --days 9001 --keep-interacted',
      'media remove --days 9000 --prune-profiles',
      'media remove --days 9001 --remove-headers --include-follows',
    ],
    because,
  },
  {
    does: 'remove the pictures of old link previews',
    logs: 'purge PreviewCard',
    make: nothing,
    page: [
      [`${T}/media`, { days: '9000', previews: '1', sure: '1' }],
      [`${T}/previews`, { days: '9000', links_only: '1', sure: '1' }],
    ],
    ctl: ['preview_cards remove --days 9000', 'preview_cards remove --days 9000 --link'],
    because,
  },
  {
    does: 'remove old statuses of other servers',
    logs: 'purge Status',
    make: nothing,
    page: [[`${T}/statuses`, { days: '9000', sure: '1' }]],
    ctl: ['statuses remove --days 9000'],
    because,
  },
  {
    does: 'remove accounts of other servers without relations, or that are gone',
    logs: 'purge Account',
    make: nothing,
    page: [
      [`${T}/prune`, { sure: '1' }],
      [`${T}/cull`, { domain: 'unknown.example', sure: '1' }],
    ],
    ctl: ['accounts prune', 'accounts cull unknown.example'],
    because,
  },
  {
    does: 'fetch accounts of other servers again',
    logs: 'refresh Account',
    make: inserted(`insert into accounts (username, domain) values ('UNIQUE', 'far.example') returning id, username`),
    page: [[`${T}/refresh`, { domain: 'unknown.example', sure: '1' }], 'POST /admin/accounts/:id/refresh'],
    ctl: ['accounts refresh --domain unknown.example', 'accounts refresh :username@far.example'],
    because,
  },
  {
    does: 'replace signing keys',
    logs: 'rotate_keys Account',
    make: member(),
    page: [
      [`${T}/rotate`, { sure: '1' }],
      ['POST /admin/accounts/:id/rotate_keys', { sure: '1' }],
    ],
    ctl: ['accounts rotate :username', 'accounts rotate --all'],
    because,
  },
  {
    does: 'merge two accounts of other servers',
    logs: 'merge Account',
    make: twins,
    page: [['POST /admin/accounts/:id/merge', { target: ':username@new.example', sure: '1' }]],
    ctl: ['accounts merge :username@old.example :username@new.example'],
    because,
  },
  {
    does: 'copy attachments of other servers again',
    logs: 'refresh Media',
    make: inserted(`insert into accounts (username, domain) values ('UNIQUE', 'far.example') returning id, username`),
    page: [[`${T}/copy`, { domain: 'unknown.example', sure: '1' }], 'POST /admin/accounts/:id/copy_media'],
    ctl: ['media refresh --domain unknown.example', 'media refresh --account :username@far.example'],
    because,
  },
  {
    does: 'remove files that nothing names',
    logs: 'purge Media',
    make: nothing,
    page: [[`${T}/orphans`, { sure: '1' }]],
    ctl: ['media remove-orphans'],
    because,
  },
  ...(
    [
      ['accounts', 'Account'],
      ['statuses', 'Status'],
    ] as const
  ).map(([counted, type]): StaffAction => ({
    does: `recount the counters of ${counted}`,
    logs: `recount ${type}`,
    make: nothing,
    page: [[`${T}/recount`, { counted, sure: '1' }]],
    ctl: [`cache recount ${counted}`],
    because,
  })),
  {
    does: 'clear the caches, or the feeds',
    page: [`${T}/clear_caches`, [`${T}/clear_caches`, { feeds_only: '1' }]],
    ctl: ['cache clear', 'feeds clear', 'feeds build --all'],
    because: { ...because, logs: 'nothing stored changes' },
  },
  {
    does: 'build the feeds of a user again',
    logs: 'build_feeds Account',
    make: member(),
    page: ['POST /admin/accounts/:id/build_feeds'],
    ctl: ['feeds build :username'],
    because,
  },
  {
    does: 'compute the trends now',
    page: ['POST /admin/trends/refresh'],
    ctl: ['trends refresh'],
    because: { ...because, logs: 'the servers do it every five minutes' },
  },
  {
    does: 'fetch a post of another server',
    page: [[`${T}/fetch`, { url: 'https://far.example/1' }]],
    ctl: ['statuses fetch https://far.example/1'],
    because: { api: 'a search for its address does it', logs: 'a search for its address does the same' },
  },
  {
    does: 'send a test e-mail',
    page: [[`${T}/mail_test`, { email: 'a@example.com' }]],
    ctl: ['mail test a@example.com'],
    because: { ...because, logs: 'nothing stored changes' },
  },
]
