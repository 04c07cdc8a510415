import { NO_API, type StaffAction } from './staff_action.ts'
import { emoji, file, inserted, member, nothing } from './staff_actions_world.ts'

const settings: readonly StaffAction[] = [
  {
    does: 'change settings',
    logs: 'update Setting',
    make: nothing,
    page: ['about', 'registrations', 'discovery', 'access', 'content_retention', 'appearance'].map(
      name => `PUT /admin/settings/${name}`,
    ),
    ctl: ['settings registrations approved', 'settings registrations close', 'settings registrations open'],
    because: { api: NO_API, unwalked: 'test/administration/settings, test/cli/settings.test.ts' },
  },
  {
    does: 'change a setting',
    logs: 'update Setting',
    make: nothing,
    page: [
      ['PUT /admin/settings/branding', { 'settings[site_title]': ':unique' }],
      ['POST /admin/settings/access/public_preview', { enabled: 'false' }],
    ],
    ctl: ['settings set site_title :unique'],
    because: { api: NO_API },
  },
  {
    does: 'change follow recommendations',
    logs: 'update Setting',
    make: member(),
    page: [['PUT /admin/follow_recommendations', { bootstrap_timeline_accounts: ':username' }]],
    ctl: ['settings set bootstrap_timeline_accounts :username'],
    because: { api: NO_API },
  },
  {
    does: 'change pictures',
    logs: 'update SitePicture',
    page: ['POST /admin/settings/pictures/:name', 'DELETE /admin/settings/pictures/:name'],
    ctl: ['pictures set', 'pictures reset'],
    because: { api: NO_API, unwalked: 'test/administration/settings, test/cli/site.test.ts' },
  },
]

const aRule = inserted(`insert into rules (text) values ('UNIQUE') returning id`)
const twoRules = inserted(
  `with other as (insert into rules (text, position) values ('before', 900000))
   insert into rules (text, position) values ('UNIQUE', 900001) returning id`,
)
const rules: readonly StaffAction[] = [
  {
    does: 'add a rule',
    logs: 'create Rule',
    make: nothing,
    page: [['POST /admin/rules', { 'rule[text]': ':unique' }]],
    ctl: ['rules add :unique'],
    because: { api: NO_API },
  },
  {
    does: 'change a rule',
    logs: 'update Rule',
    make: aRule,
    page: [
      ['PUT /admin/rules/:id', { 'rule[text]': 'other' }],
      ['PUT /admin/rules/:id/translations', { 'translation[language]': 'de', 'translation[text]': 'x' }],
    ],
    ctl: ['rules change :id --text other', 'rules change :id --language de --text x'],
    because: { api: NO_API },
  },
  {
    does: 'move a rule',
    logs: 'update Rule',
    make: twoRules,
    page: [['POST /admin/rules/:id/move', { direction: 'up' }]],
    ctl: ['rules change :id --position 0'],
    because: { api: NO_API },
  },
  {
    does: 'delete a rule',
    logs: 'destroy Rule',
    make: aRule,
    page: ['DELETE /admin/rules/:id'],
    ctl: ['rules delete :id'],
    because: { api: NO_API },
  },
]

const announcement = inserted(
  `insert into announcements (text, content, published) values ('UNIQUE', '<p>x</p>', false) returning id`,
)
const shownAnnouncement = inserted(
  `insert into announcements (text, content, published, published_at) values ('UNIQUE', '<p>x</p>', true, now()) returning id`,
)
const announcements: readonly StaffAction[] = [
  {
    does: 'create an announcement',
    logs: 'create Announcement',
    make: nothing,
    page: [['POST /admin/announcements', { 'announcement[text]': ':unique' }]],
    ctl: ['announcements create :unique --draft'],
    because: { api: NO_API },
  },
  {
    does: 'change an announcement',
    logs: 'update Announcement',
    make: announcement,
    page: [['PUT /admin/announcements/:id', { 'announcement[text]': 'other' }]],
    ctl: ['announcements edit :id other'],
    because: { api: NO_API },
  },
  {
    does: 'publish an announcement',
    logs: 'publish Announcement',
    make: announcement,
    page: [['POST /admin/announcements/:id/publication', { published: 'true' }]],
    ctl: ['announcements publish :id'],
    because: { api: NO_API },
  },
  {
    does: 'unpublish an announcement',
    logs: 'unpublish Announcement',
    make: shownAnnouncement,
    page: [['POST /admin/announcements/:id/publication', { published: 'false' }]],
    ctl: ['announcements unpublish :id'],
    because: { api: NO_API },
  },
  {
    does: 'delete an announcement',
    logs: 'destroy Announcement',
    make: announcement,
    page: ['DELETE /admin/announcements/:id'],
    ctl: ['announcements delete :id'],
    because: { api: NO_API },
  },
]

const aRole = inserted(`insert into roles (name, position, permissions) values ('UNIQUE', 5, 0) returning id, name`)
const roles: readonly StaffAction[] = [
  {
    does: 'create a role',
    logs: 'create UserRole',
    make: nothing,
    page: [['POST /admin/roles', { 'role[name]': ':unique', 'role[position]': '3', 'role[collection_limit]': '10' }]],
    ctl: ['roles create :unique --position 3'],
    because: { api: NO_API },
  },
  {
    does: 'change a role',
    logs: 'update UserRole',
    make: aRole,
    page: [['PUT /admin/roles/:id', { 'role[name]': ':name', 'role[position]': '4', 'role[collection_limit]': '10' }]],
    ctl: ['roles modify :name --position 4'],
    because: { api: NO_API },
  },
  {
    does: 'delete a role',
    logs: 'destroy UserRole',
    make: aRole,
    page: ['DELETE /admin/roles/:id'],
    ctl: ['roles delete :name'],
    because: { api: NO_API },
  },
]

const draft = (day: string) =>
  inserted(
    `insert into terms_of_service (text, changelog, effective_date)
     values ('x', 'UNIQUE', ${day} + (random() * 100000)::int) returning id`,
  )
const aDraft = draft(`date '2100-01-01'`)
const day = inserted(`select (date '2400-01-01' + (random() * 100000)::int)::text as day, 'UNIQUE' as unique`)
const terms: readonly StaffAction[] = [
  {
    does: 'write terms',
    logs: 'create TermsOfService',
    make: file('# x', day),
    page: [['POST /admin/terms_of_service', { 'terms[text]': 'x', 'terms[changelog]': 'x' }]],
    ctl: ['terms add :file --effective :day --changelog x'],
    because: { api: NO_API },
  },
  {
    does: 'change terms',
    logs: 'update TermsOfService',
    make: aDraft,
    page: [['PUT /admin/terms_of_service/:id', { 'terms[text]': 'y', 'terms[changelog]': 'y' }]],
    ctl: ['terms change :id --changelog y'],
    because: { api: NO_API },
  },
  {
    does: 'publish terms',
    logs: 'publish TermsOfService',
    make: aDraft,
    ctl: ['terms publish :id'],
    because: { api: NO_API, page: 'a button of the form that changes them' },
  },
  {
    does: 'delete terms',
    logs: 'destroy TermsOfService',
    make: aDraft,
    page: ['DELETE /admin/terms_of_service/:id'],
    ctl: ['terms delete :id'],
    because: { api: NO_API },
  },
]

const remoteEmoji = inserted(
  `insert into custom_emojis (shortcode, domain, image) values ('UNIQUE', 'far.example', '{"key": "emojis/00/00/0000000000000000000000000000.png", "static_key": "emojis/00/00/0000000000000000000000000000.png", "type": "image/png"}')
   returning id, shortcode`,
)
const BATCH = 'POST /admin/custom_emojis/batch'
const emojis: readonly StaffAction[] = [
  {
    does: 'add emojis',
    logs: 'create CustomEmoji',
    page: ['POST /admin/custom_emojis', 'POST /admin/custom_emojis/import', BATCH],
    ctl: ['emoji add', 'emoji import', 'emoji copy'],
    because: { api: NO_API, unwalked: 'test/administration/custom_emojis, test/cli/emoji.test.ts' },
  },
  {
    does: 'change an emoji',
    logs: 'update CustomEmoji',
    make: emoji,
    page: [
      [BATCH, { change: 'categorize', category: 'other', ids: ':id' }],
      [BATCH, { change: 'unlist', ids: ':id' }],
      [BATCH, { change: 'feature', ids: ':id' }],
    ],
    ctl: ['emoji modify :shortcode --category other', 'emoji modify :shortcode --no-list', 'emoji feature :shortcode'],
    because: { api: NO_API },
  },
  {
    does: 'disable an emoji',
    logs: 'disable CustomEmoji',
    make: emoji,
    page: [[BATCH, { change: 'disable', ids: ':id' }]],
    ctl: ['emoji modify :shortcode --no-enable'],
    because: { api: NO_API },
  },
  {
    does: 'disable an emoji of another server',
    logs: 'disable CustomEmoji',
    make: remoteEmoji,
    page: [[BATCH, { change: 'disable', ids: ':id' }]],
    ctl: ['emoji modify :shortcode@far.example --no-enable'],
    because: { api: NO_API },
  },
  {
    does: 'delete an emoji',
    logs: 'destroy CustomEmoji',
    make: emoji,
    page: [[BATCH, { change: 'delete', ids: ':id' }]],
    ctl: ['emoji delete :shortcode'],
    because: { api: NO_API },
  },
  {
    does: 'delete all emojis',
    logs: 'destroy CustomEmoji',
    page: ['POST /admin/custom_emojis/purge'],
    ctl: ['emoji purge'],
    because: { api: NO_API, unwalked: 'test/administration/tasks, test/cli/emoji.test.ts' },
  },
]

const webhook = inserted(
  `insert into webhooks (url, events, secret) values ('https://UNIQUE.example/', '{account.created}', 's') returning id`,
)
const disabledWebhook = inserted(
  `insert into webhooks (url, events, secret, enabled) values ('https://UNIQUE.example/', '{account.created}', 's', false) returning id`,
)
const FIELDS = { 'webhook[url]': 'https://:unique.example/', 'webhook[events][]': 'account.created' } as const
const webhooks: readonly StaffAction[] = [
  {
    does: 'create a webhook',
    logs: 'create Webhook',
    make: nothing,
    page: [['POST /admin/webhooks', FIELDS]],
    ctl: ['webhooks create https://:unique.example/ --events account.created'],
    because: { api: NO_API },
  },
  {
    does: 'change a webhook',
    logs: 'update Webhook',
    make: async world => ({ ...(await nothing(world)), ...(await webhook(world)) }),
    page: [['PUT /admin/webhooks/:id', FIELDS]],
    ctl: ['webhooks modify :id --url https://:unique.example/'],
    because: { api: NO_API },
  },
  {
    does: 'disable a webhook',
    logs: 'disable Webhook',
    make: webhook,
    page: [['POST /admin/webhooks/:id/state', { enabled: 'false' }]],
    ctl: ['webhooks modify :id --disable'],
    because: { api: NO_API },
  },
  {
    does: 'enable a webhook',
    logs: 'enable Webhook',
    make: disabledWebhook,
    page: [['POST /admin/webhooks/:id/state', { enabled: 'true' }]],
    ctl: ['webhooks modify :id --enable'],
    because: { api: NO_API },
  },
  {
    does: 'replace the secret of a webhook',
    logs: 'rotate_secret Webhook',
    make: webhook,
    page: ['POST /admin/webhooks/:id/secret'],
    ctl: ['webhooks rotate :id'],
    because: { api: NO_API },
  },
  {
    does: 'test a webhook',
    page: ['POST /admin/webhooks/:id/test'],
    ctl: ['webhooks test :id'],
    because: { api: NO_API, logs: 'a message is sent, nothing is changed' },
  },
  {
    does: 'delete a webhook',
    logs: 'destroy Webhook',
    make: webhook,
    page: ['DELETE /admin/webhooks/:id'],
    ctl: ['webhooks delete :id'],
    because: { api: NO_API },
  },
]

const invite = inserted(
  `insert into invites (user_id, code) select u.id, 'UNIQUE' from users u order by u.id desc limit 1 returning id, code`,
)
/** E-mails to all members are sent once, after a preview and a test. */
const mailings: readonly StaffAction[] = (['announcements', 'terms_of_service'] as const).flatMap(what => [
  {
    does: `send ${what} to all members`,
    logs: what === 'announcements' ? 'notify Announcement' : 'notify TermsOfService',
    page: [`POST /admin/${what}/:id/distribution`],
    ctl: [`${what === 'announcements' ? 'announcements' : 'terms'} notify`],
    because: { api: NO_API, unwalked: 'test/administration/announcements, test/administration/terms' },
  },
  {
    does: `send ${what} to oneself, as a test`,
    page: [`POST /admin/${what}/:id/test`],
    because: { api: NO_API, ctl: 'the command prints a preview', logs: 'an e-mail to oneself changes nothing' },
  },
])

const others: readonly StaffAction[] = [
  {
    does: 'make an invite for somebody',
    logs: 'create Invite',
    make: member(),
    page: [['POST /admin/invites', { username: ':username' }]],
    ctl: ['invites create :username'],
    because: { api: NO_API },
  },
  {
    does: 'end an invite',
    logs: 'disable Invite',
    make: invite,
    page: [['POST /admin/invites/batch', { change: 'deactivate', ids: ':id' }], 'POST /admin/invites/deactivate_all'],
    ctl: ['invites revoke :code', 'invites revoke --all'],
    because: { api: NO_API },
  },
  {
    does: 'add a warning preset',
    logs: 'create AccountWarningPreset',
    make: nothing,
    page: [['POST /admin/warning_presets', { text: ':unique' }]],
    ctl: ['warning-presets create :unique'],
    because: { api: NO_API },
  },
  {
    does: 'change a warning preset',
    logs: 'update AccountWarningPreset',
    make: inserted(`insert into warning_presets (text) values ('UNIQUE') returning id`),
    page: [['PUT /admin/warning_presets/:id', { text: 'other' }]],
    ctl: ['warning-presets modify :id --text other'],
    because: { api: NO_API },
  },
  {
    does: 'delete a warning preset',
    logs: 'destroy AccountWarningPreset',
    make: inserted(`insert into warning_presets (text) values ('UNIQUE') returning id`),
    page: ['DELETE /admin/warning_presets/:id'],
    ctl: ['warning-presets delete :id'],
    because: { api: NO_API },
  },
  {
    does: 'ask for figures',
    api: ['POST /api/v1/admin/measures', 'POST /api/v1/admin/dimensions', 'POST /api/v1/admin/retention'],
    because: { page: 'the dashboard', ctl: 'the metrics and `ctl top`', logs: 'it only reads' },
  },
]

/** The actions on the server itself: settings, texts, roles, emojis, webhooks, invites. */
export const siteActions: readonly StaffAction[] = [
  ...settings,
  ...rules,
  ...announcements,
  ...roles,
  ...terms,
  ...emojis,
  ...webhooks,
  ...mailings,
  ...others,
]
