import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { validationError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { normaliseDomain } from './domain.ts'
import { sever } from './sever.ts'

const insertBlock = query(
  'accounts/domain_blocks/block',
  { viewer: c.id, domain: c.text },
  { severance: c.id, events: c.events },
)
const deleteBlock = query('accounts/domain_blocks/unblock', { viewer: c.id, domain: c.text }, { events: c.events })
const findLosses = query(
  'accounts/domain_blocks/preview',
  { viewer: c.id, domain: c.text },
  { following_count: c.integer, followers_count: c.integer },
)

const domain = param.string({ trim: true, description: 'a host name in any spelling' })

/**
 * Blocks a domain, which must be normalised; a job ends relationships with its accounts.
 * @returns whether it was not blocked before
 */
export const addDomainBlock = (database: Database, viewer: Id, blocked: string): Promise<boolean> =>
  database.transaction(async transaction => {
    const row = await transaction.one(insertBlock, { viewer, domain: blocked })
    if (!row) return false
    await enqueue(transaction, sever, { viewer, domain: blocked, severance: row.severance })
    return true
  })

export async function removeDomainBlock(database: Database, viewer: Id, blocked: string): Promise<void> {
  await database.run(deleteBlock, { viewer, domain: blocked })
}

export const blockDomain = operation({
  method: 'POST',
  path: '/api/v1/domain_blocks',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  summary: 'Block a domain: relationships with its accounts end, and its notifications stop',
  params: { domain },
  returns: '{}',
  async handle({ domain: given }, { viewer, database }) {
    const normalised = normaliseDomain(given)
    const isFresh = await addDomainBlock(database, viewer.id, normalised)
    if (!isFresh && given !== normalised) throw validationError('Domain has already been taken')
    return {}
  },
})

export const unblockDomain = operation({
  method: 'DELETE',
  path: '/api/v1/domain_blocks',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  summary: 'Unblock a domain; ended relationships are not restored',
  params: { domain: param.string({ optional: true, trim: true, description: 'a host name in any spelling' }) },
  returns: '{}',
  async handle({ domain: given = '' }, { viewer, database }) {
    if (given !== '') await removeDomainBlock(database, viewer.id, normaliseDomain(given))
    return {}
  },
})

export const previewBlock = operation({
  method: 'GET',
  path: '/api/v1/domain_blocks/preview',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  summary: 'Count the follows and followers that a block of a domain would end',
  params: { domain },
  returns: 'DomainBlockPreview',
  async handle({ domain: given }, { viewer, database }) {
    const losses = await database.one(findLosses, { viewer: viewer.id, domain: normaliseDomain(given) })
    if (!losses) throw new Error('the preview of the domain block returned no row')
    return losses
  },
})
