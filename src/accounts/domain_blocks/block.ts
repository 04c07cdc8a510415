import { c, query } from '../../platform/database/index.ts'
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
    const isFresh = await database.transaction(async transaction => {
      const row = await transaction.one(insertBlock, { viewer: viewer.id, domain: normalised })
      if (!row) return false
      await enqueue(transaction, sever, { viewer: viewer.id, domain: normalised, severance: row.severance })
      return true
    })
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
    if (given !== '') await database.run(deleteBlock, { viewer: viewer.id, domain: normaliseDomain(given) })
    return {}
  },
})

export const previewBlock = operation({
  method: 'GET',
  path: '/api/v1/domain_blocks/preview',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  summary: 'How many follows and followers a block of a domain would end',
  params: { domain },
  returns: 'DomainBlockPreview',
  async handle({ domain: given }, { viewer, database }) {
    const losses = await database.one(findLosses, { viewer: viewer.id, domain: normaliseDomain(given) })
    if (!losses) throw new Error('counts are always there')
    return losses
  },
})
