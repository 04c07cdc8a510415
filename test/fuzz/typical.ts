import type { FuzzValue } from './values.ts'

type Values = Readonly<Record<string, FuzzValue>>

const status: Values = { status: 'a quiet morning' }
const filter: Values = { title: 'x', context: ['home'] }
const oldFilter: Values = { phrase: 'x', context: ['home'] }
const collection: Values = { name: 'choir', description: 'those who sing', sensitive: false, discoverable: true }
const domain: Values = { domain: 'blocked.example' }
/** Of the length that stands for a picture (outgoing.ts). */
const file: Values = { file: 'abc' }

/**
 * Values without which a request creates nothing, where the declaration does not say so: a status
 * needs a text or something attached. Others are added to them.
 */
export const TYPICAL: ReadonlyMap<string, Values> = new Map(
  Object.entries({
    'POST /api/v1/statuses': status,
    'PUT /api/v1/statuses/:id': status,
    'POST /api/v1/polls/:id/votes': { choices: [0] },
    'POST /api/v1/media': file,
    'POST /api/v2/media': file,
    'POST /api/v1/filters': oldFilter,
    'PUT /api/v1/filters/:id': oldFilter,
    'POST /api/v2/filters': filter,
    'PUT /api/v2/filters/:id': filter,
    'POST /api/v2/filters/:filter_id/keywords': { keyword: 'y' },
    'POST /api/v2/filters/:filter_id/statuses': { status_id: { ref: 0 } },
    'POST /api/v1/apps': { client_name: 'Tapir', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
    'POST /api/v1/collections': collection,
    'POST /api/v1_alpha/collections': collection,
    'PUT /api/v2/notifications/policy': { for_not_following: 'accept' },
    'POST /api/v1/admin/domain_blocks': domain,
    'POST /api/v1/admin/domain_allows': domain,
    'POST /api/v1/admin/email_domain_blocks': domain,
    'POST /api/v1/admin/canonical_email_blocks': { email: 'a@blocked.example' },
    'POST /api/v1/admin/ip_blocks': { ip: '192.0.2.1', severity: 'no_access', expires_in: 3600 },
  }),
)
