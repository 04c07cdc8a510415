import { c, query } from '../../platform/database/index.ts'
import { cursorsOf, Json, operation, page, param, rangeParameters } from '../../platform/http/index.ts'
import { blockDomain, previewBlock, unblockDomain } from './block.ts'

const findBlocked = query(
  'accounts/domain_blocks/page',
  { viewer: c.id, max_id: c.nullable(c.id), since_id: c.nullable(c.id), limit: c.integer },
  { id: c.id, domain: c.text },
)

const showDomainBlocks = operation({
  method: 'GET',
  path: '/api/v1/domain_blocks',
  auth: 'user',
  scopes: ['follow', 'read:blocks'],
  summary: 'List the domains that the caller blocks',
  params: { max_id: param.cursor(), since_id: param.cursor(), limit: param.limit(100) },
  returns: '[string]',
  async handle(range, { viewer, database, request }) {
    const rows = await database.run(findBlocked, {
      viewer: viewer.id,
      ...rangeParameters(range),
      limit: range.limit,
    })
    return page(
      new Json(JSON.stringify(rows.map(row => row.domain))),
      cursorsOf(rows, row => row.id),
      request,
      range,
      { prev: 'since_id' },
    )
  },
})

export const operations = [showDomainBlocks, blockDomain, unblockDomain, previewBlock]
