import type { Person } from '../support/people.ts'

/** Ids of the rules of administrators, one of each kind, and of a hashtag and a report. */
export interface Blocked {
  readonly tag: string
  readonly report: string
  readonly domain: string
  readonly allow: string
  readonly network: string
  readonly emailDomain: string
  readonly address: string
}

async function create(owner: Person, path: string, body: Record<string, unknown>): Promise<string> {
  const { status, text, json } = await owner.post(`/api/v1/admin/${path}`, body)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return (json as { id: string }).id
}

/** An address of its own for each account. */
const addressOf = ({ id }: Person): string =>
  `2001:db8:${BigInt(id).toString(16).padStart(16, '0').match(/.{4}/g)?.join(':')}::`

/** Makes the rules; the owner's id keeps those of several worlds on one server apart. */
export async function makeBlocks(owner: Person): Promise<Blocked> {
  const [tag] = (await owner.get('/api/v1/admin/tags')).json as { id: string }[]
  const [report] = (await owner.get('/api/v1/admin/reports')).json as { id: string }[]
  return {
    tag: tag?.id ?? '',
    report: report?.id ?? '',
    domain: await create(owner, 'domain_blocks', { domain: `blocked${owner.id}.example` }),
    allow: await create(owner, 'domain_allows', { domain: `allowed${owner.id}.example` }),
    network: await create(owner, 'ip_blocks', { ip: addressOf(owner), severity: 'sign_up_block' }),
    emailDomain: await create(owner, 'email_domain_blocks', { domain: `mail${owner.id}.example` }),
    address: await create(owner, 'canonical_email_blocks', { email: `${owner.id}@mail.example` }),
  }
}
